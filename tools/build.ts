/**
 * `npm run build [-- WORKSPACE…]`: what is published of each workspace (or only of those named), as a package of its
 * own in WORKSPACE/dist.
 *
 * It is the workspace with every .ts compiled to .js next to its .d.ts, since Node strips no types under node_modules.
 * `npm publish WORKSPACE/dist` publishes it. With the provider go `bin/terraform-provider-svc` and
 * `bin/pulumi-resource-svc`. The SDK of Pulumi goes into sdk/dist, those for Python and Go into sdk/python/dist and
 * sdk/go/dist.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from '../console/build.ts'

const NOT_PUBLISHED = ['dist', 'node_modules', 'package.json', 'tsconfig.build.json']

async function build(workspace: string): Promise<void> {
  const dist = join(workspace, 'dist')
  rmSync(dist, { recursive: true, force: true })
  if (workspace === 'console') await buildConsole()
  if (workspace.startsWith('cdk/')) (await import('./cdk.ts')).writeConstructs()
  if (existsSync(join(workspace, 'tsconfig.build.json'))) compile(join(workspace, 'tsconfig.build.json'))
  const isPublished = (path: string) => !/((?<!\.d)\.ts|\.test\.js)$/.test(path)
  for (const name of readdirSync(workspace))
    if (!NOT_PUBLISHED.includes(name) && isPublished(name))
      cpSync(join(workspace, name), join(dist, name), { recursive: true, filter: isPublished })
  cpSync('LICENSE', join(dist, 'LICENSE'))
  const manifest = readFileSync(join(workspace, 'package.json'), 'utf8')
  writeFileSync(join(dist, 'package.json'), manifest.replaceAll(/"(\.\/src\/[^"]*)\.ts"/g, '"$1.js"'))
}

function compile(project: string): void {
  const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], { stdio: 'inherit' })
  if (tsc.status !== 0) process.exit(1)
}

// in the order of their imports: the types of a package are taken from its build
const workspaces = [
  'launcher',
  'schema',
  'drivers/mssql',
  'drivers/bigquery',
  'console',
  'engine',
  'provider',
  'cdk/cdktf',
  'cdk/cdktn',
]
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !workspaces.includes(name))
if (unknown.length > 0) throw new Error(`no workspace ${unknown.join(', ')}: there are ${workspaces.join(', ')}`)
for (const workspace of workspaces) if (wanted.length === 0 || wanted.includes(workspace)) await build(workspace)
// an image of the engine is built without the sources of the provider
if (wanted.length === 0) await import('./build-plugins.ts')
