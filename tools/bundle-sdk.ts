/** `@svc/pulumi`: the TypeScript SDK as it is published, with the plugin that serves it in `plugin/`. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePulumiPlugin, writePulumiPlugin } from './bundle-pulumi.ts'
import { SDK_SOURCES } from './sdk/sources.ts'
import { installTestPackages } from './test-packages.ts'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const cache = join(checkout, 'node_modules/.cache/pulumi-sdk')

/** Writes the package into `folder`. Throws Error with the complaints of the compiler. */
export async function writePulumiPackage(folder: string): Promise<void> {
  installTestPackages()
  mkdirSync(folder, { recursive: true })
  const tsc = spawnSync(
    process.execPath,
    [
      join(checkout, 'node_modules/typescript/bin/tsc'),
      '-p',
      SDK_SOURCES,
      '--outDir',
      folder,
      '--sourceMap',
      'false',
      '--declarationMap',
      'false',
    ],
    { encoding: 'utf8' },
  )
  if (tsc.status !== 0) throw new Error(tsc.stdout)
  const manifest = JSON.parse(readFileSync(join(SDK_SOURCES, 'package.json'), 'utf8'))
  const { scripts: _, devDependencies: __, ...published } = manifest
  const bin = { 'pulumi-resource-svc': 'plugin/pulumi-resource-svc' }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...published, bin }, null, 2)}\n`)
  for (const file of ['sdk/README.md', 'LICENSE']) cpSync(join(checkout, file), join(folder, file.replace('sdk/', '')))
  await writePulumiPlugin(join(folder, 'plugin'))
}

/** The folder of the package of the present sources, which other runs may be using too. */
export async function cachedPulumiPackage(): Promise<string> {
  const hash = createHash('sha256').update(await bundlePulumiPlugin())
  for (const file of globSync('**/*.{ts,json}', { cwd: SDK_SOURCES }).sort())
    hash.update(readFileSync(join(SDK_SOURCES, file)))
  const folder = join(cache, hash.digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  await writePulumiPackage(unfinished)
  try {
    renameSync(unfinished, folder)
  } catch {
    rmSync(unfinished, { recursive: true }) // another client was faster
  }
  return folder
}
