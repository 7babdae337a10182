/** Bundles the console: `buildConsole(folder)` writes its page, script and style into the folder. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const here = import.meta.dirname

export async function buildConsole(folder = join(here, 'page')): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: { console: join(here, 'src/main.tsx') },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.process': 'undefined' },
    legalComments: 'linked',
    logLevel: 'warning',
  })
  for (const name of ['page.html', 'icon.svg', 'src/style.css'])
    copyFileSync(join(here, name), join(folder, name === 'src/style.css' ? 'console.css' : name))
}
