/** Bundles the console: `buildConsole(folder)` writes its page, scripts and style into the folder. */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const here = import.meta.dirname
const standin = (name: string) => join(here, 'standins', `${name}.ts`)

/** What reads metadata directories. */
const readsFiles =
  /provider[\\/]src[\\/]directory[\\/](include|listed-files|parse-yaml-file|read-directory|un[\w-]+)\.ts$/

/**
 * What no page checks: whether a server could serve values, whether schemas and their definitions are valid, which keys
 * inside objects are not known (they are stored, and differ).
 */
const unasked =
  /value-faults[\\/]rules-of-kinds\.ts$|schema[\\/]src[\\/]unknown-inside\.ts$|graphql[\\/]type[\\/]validate\.mjs$|[\\/]rules[\\/](LoneSchemaDefinition|MaxIntrospectionDepth|PossibleTypeExtensions|SingleFieldSubscriptions|Unique(ArgumentDefinition|Directive|EnumValue|FieldDefinition|Type)Names|UniqueDirectivesPerLocation|UniqueOperationTypes)Rule\.mjs$/

/** The kinds of what the engine keeps in addition to its metadata: of these a page knows only the names. */
const notInMetadata = /provider[\\/]src[\\/]resources[\\/](access-token|oidc-trust|scheduled-event)\.ts$/

/** What the provider's code is made of that a page has no use for, or has a lighter form of. */
const standins: Plugin = {
  name: 'stand-ins',
  setup(build) {
    build.onResolve({ filter: /^(immutable|yaml|zod)$/ }, ({ path }) => ({ path: standin(path) }))
    build.onResolve({ filter: /^\.\/parse-plain-yaml\.ts$/ }, () => ({ path: standin('yaml') }))
    build.onLoad({ filter: unasked }, ({ path }) => ({
      contents: exportsOf(path)
        .map((name) => `export const ${name} = () => []`)
        .join('\n'),
    }))
    build.onLoad({ filter: notInMetadata }, ({ path }) => {
      const kind = /kind: '(\w+)'/.exec(readFileSync(path, 'utf8'))?.[1] ?? ''
      const name = kind.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
      return {
        contents: exportsOf(path)
          .map((one) => `export const ${one} = ${JSON.stringify({ kind, name })}`)
          .join('\n'),
      }
    })
    build.onResolve({ filter: /^node:/ }, ({ path, importer }) =>
      readsFiles.test(importer) ? { path: standin('files') } : { path, external: true, sideEffects: false },
    )
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

const exportsOf = (path: string): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = '']) => name)

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
  inject: [standin('process')],
  // of modules that are left out again, since nothing of them is used
  external: [...builtinModules, '@grpc/*', 'commander', 'got'],
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
