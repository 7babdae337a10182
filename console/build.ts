/** Bundles the console: `buildConsole(folder)` writes its page, scripts and style into the folder. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const here = import.meta.dirname
const standin = (name: string) => join(here, 'standins', `${name}.ts`)

/** What the provider's code is made of that a page has no use for, or has a lighter form of. */
const standins: Plugin = {
  name: 'stand-ins',
  setup(build) {
    build.onResolve({ filter: /^(immutable|yaml|zod)$/ }, ({ path }) => ({ path: standin(path) }))
    build.onResolve({ filter: /^\.\/(load|run-plugin)\.ts$/ }, ({ importer }) =>
      /provider[\\/]src[\\/](terraform|pulumi)[\\/]index\.ts$/.test(importer)
        ? { path: standin('plugins') }
        : undefined,
    )
    // the same modules as every importer of `graphql`, not their CommonJS twins
    build.onResolve({ filter: /^graphql\/.*\.js$/ }, ({ path, resolveDir, kind }) =>
      build.resolve(path.replace(/js$/, 'mjs'), { resolveDir, kind }),
    )
  },
}

/** Of any bundle for the page. */
export const pageOptions = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: { 'process.env.NODE_ENV': '"production"', 'globalThis.process': 'undefined' },
  plugins: [standins],
  // of modules that are left out again, since nothing of them is used
  external: ['node:*', ...builtinModules, '@grpc/*', 'commander', 'got'],
  legalComments: 'linked',
  logLevel: 'warning',
} satisfies BuildOptions

export async function buildConsole(folder = join(here, 'page')): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { metafile } = await build({
    ...pageOptions,
    entryPoints: { console: join(here, 'src/main.tsx') },
    outdir: folder,
    splitting: true,
    chunkNames: '[name]',
    metafile: true,
  })
  const left = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external))
  if (left.length > 0) throw new Error(`the page would import ${left.map(({ path }) => path).join(', ')}`)
  for (const name of ['page.html', 'icon.svg', 'src/style.css'])
    copyFileSync(join(here, name), join(folder, name === 'src/style.css' ? 'console.css' : name))
}
