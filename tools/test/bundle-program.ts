import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/**
 * Writes the program of a package as one module into the package's cache (below its node_modules, where it finds its packages) and
 * returns the file that starts it: a program of six hundred modules takes twice the processor's time to start, and the tests start
 * hundreds. Each module keeps the URL of its source, where it finds its files and workers.
 */
export async function bundleProgram(packageName: 'engine' | 'provider'): Promise<string> {
  const folder = resolve(packageName, 'node_modules/.cache/under-test')
  await build({
    entryPoints: [`${packageName}/src/main.ts`],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    plugins: [ofTheSources],
    logLevel: 'error',
  })
  const program = resolve(folder, 'program.mjs')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    program,
    `import { launch } from '@svc/launcher'\nawait launch(new URL('./main.mjs', import.meta.url))\n`,
  )
  return program
}

const ofTheSources: Plugin = {
  name: 'of the sources',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@svc/schema') ? undefined : { path, external: true },
    )
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const own = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      return { loader: 'ts', contents: own, resolveDir: dirname(path) }
    })
  },
}
