import manifest from '../package.json' with { type: 'json' }

/** The version of the provider and of `svc`, as their package says. */
export const version: string = manifest.version

/** Where its pages are, as its package says. */
export const homepage: string = manifest.homepage

/** Where its sources are: the address of the package without what only git and npm read. */
export const repository: string = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
