/** A provider and everything it imports as one executable file of plain JavaScript. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const checkout = fileURLToPath(new URL('..', import.meta.url))

export interface PluginSpec {
  /** From the root of the repository. */
  readonly entry: string
  /** Where the process that starts it searches for complaints. */
  readonly complainsOn: 'stdout' | 'stderr'
  readonly plugins?: readonly Plugin[]
}

/**
 * For the shell. It says so where Node is missing, since a tool shows a provider's first lines to the user. Node gets
 * less memory for new objects: at 1,000 resources that is 15 MB; and glibc one arena for all threads: 6 MB. By require,
 * since a file without an ending below a package of ES modules would be read as one of them. After a complaint it
 * lives on for a second: a tool that notices the end of a process before its lines shows none of them.
 */
const launcher = (redirect: string) => `#!/bin/sh
':' //; command -v node >/dev/null 2>&1 && MALLOC_ARENA_MAX=1 exec node --max-semi-space-size=4 -e 'require(require("path").resolve(process.argv[1]))' -- "$0" "$@"
':' //; echo 'Node.js was not found: this provider needs version 20 or later in the PATH'${redirect}; PATH="$PATH:/usr/bin:/bin" sleep 1; exit 1
`

const checkOfNode = (print: string) => `if (Number(process.versions.node.split('.')[0]) < 20) {
${print}('Node.js ' + process.versions.node + ' is too old: this provider needs version 20 or later in the PATH');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
process.exit(1)}
`

/** Of `import { z }` all of zod is bundled, its error texts in fifty languages among it; of a namespace what is used. */
const partsOfZod: Plugin = {
  name: 'parts-of-zod',
  setup: ({ onLoad }) =>
    onLoad({ filter: /(provider|schema).src.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace("import { z } from 'zod'", "import * as z from 'zod'"),
      loader: 'ts',
    })),
}

/** The text of the executable. Throws with esbuild's own complaints. */
export async function bundlePlugin({ entry, complainsOn, plugins = [] }: PluginSpec): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: checkout,
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    // loaded by nothing but grpc-js's support of .proto files, which is not used
    external: ['@grpc/proto-loader'],
    plugins: [...plugins, partsOfZod],
    // types of zod are extended where nothing of it is used
    logOverride: { 'ignored-bare-import': 'silent' },
    logLevel: 'warning',
  })
  const [code] = outputFiles
  const isError = complainsOn === 'stderr'
  return `${launcher(isError ? ' >&2' : '')}${checkOfNode(isError ? 'console.error' : 'console.log')}${code?.text}`
}

/** A folder with the file of the present sources, which other runs may be using too. */
export async function cachedPlugin(name: string, text: string): Promise<string> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const folder = join(checkout, 'node_modules/.cache', name, hash)
  const file = join(folder, name)
  if (existsSync(file)) return folder
  mkdirSync(folder, { recursive: true })
  const temporary = `${file}.${process.pid}`
  writeExecutable(temporary, text)
  renameSync(temporary, file)
  return folder
}

export function writeExecutable(file: string, text: string): void {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}
