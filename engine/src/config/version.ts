import { readFileSync } from 'node:fs'

/** The version of the package, `0.2.0`: the same file next to the sources and in what is published. */
export const engineVersion: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string }
).version

/** What /v1/version reports (reference/http#endpoints): clients search for the generation of the API before the plus. */
export const servedVersion = `v2.0.0+svc.${engineVersion}`
