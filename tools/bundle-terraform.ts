/** `terraform-provider-svc`: the provider and everything it imports as one executable file of plain JavaScript. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { loadEncodedSchema } from '../provider/src/terraform/index.ts'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const cache = join(checkout, 'node_modules/.cache/terraform-provider-svc')

/**
 * For the shell. It says so where Node is missing, since Terraform shows a provider's first line to the user. Node gets
 * less room for new objects: at 1,000 resources that is 15 MB. By require, since a file without an ending below somebody's
 * package of ES modules would be read as one of them.
 */
const launcher = `#!/bin/sh
':' //; command -v node >/dev/null 2>&1 && exec node --max-semi-space-size=4 -e 'require(require("path").resolve(process.argv[1]))' -- "$0" "$@"
':' //; echo 'Node.js was not found: this provider needs version 20 or later in the PATH'; exit 1
`

const checkOfNode = `if (Number(process.versions.node.split('.')[0]) < 20) {
console.log('Node.js ' + process.versions.node + ' is too old: this provider needs version 20 or later in the PATH');
process.exit(1)}
`

/** Of `import { z }` all of zod is kept, its error texts in fifty languages among it; of a namespace what is used. */
const partsOfZod: Plugin = {
  name: 'parts-of-zod',
  setup: ({ onLoad }) =>
    onLoad({ filter: /(provider|schema).src.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace("import { z } from 'zod'", "import * as z from 'zod'"),
      loader: 'ts',
    })),
}

/** Terraform starts a process of its own to ask for the schema: with the answer at hand that one loads half of all. */
const withSchema: Plugin = {
  name: 'with-schema',
  setup: ({ onLoad }) =>
    onLoad({ filter: /terraform.encoded-schema\.ts$/ }, async () => ({
      contents: `export const encodedSchema = ${JSON.stringify(await loadEncodedSchema())}`,
    })),
}

/** The text of the executable. Throws with esbuild's own complaints. */
export async function bundleTerraformProvider(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: checkout,
    entryPoints: ['provider/src/terraform-main.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    // loaded by nothing but grpc-js's support of .proto files, which is not used
    external: ['@grpc/proto-loader'],
    plugins: [withSchema, partsOfZod],
    // types of zod are extended where nothing of it is used
    logOverride: { 'ignored-bare-import': 'silent' },
    logLevel: 'warning',
  })
  const [code] = outputFiles
  return `${launcher}${checkOfNode}${code?.text}`
}

/** Writes the executable to `file`. */
export async function writeTerraformProvider(file: string): Promise<void> {
  const text = await bundleTerraformProvider()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

/** The executable of the sources as they are now, in a folder of its own that others may be using too. */
export async function cachedTerraformProvider(): Promise<string> {
  const text = await bundleTerraformProvider()
  const folder = join(cache, createHash('sha256').update(text).digest('hex').slice(0, 16))
  const file = join(folder, 'terraform-provider-svc')
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, text)
  chmodSync(temporary, 0o755)
  renameSync(temporary, file)
  return file
}
