/** `terraform-provider-svc`, as one executable file. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { loadEncodedSchema } from '../provider/src/terraform/index.ts'
import { bundlePlugin, cachedPlugin, writeExecutable } from './bundle-plugin.ts'

const NAME = 'terraform-provider-svc'

/** Terraform starts a process of its own to request the schema: with the answer at hand that one loads half of all. */
const withSchema: Plugin = {
  name: 'with-schema',
  setup({ onLoad, onEnd }) {
    let isPut = false
    onLoad({ filter: /terraform.encoded-schema\.ts$/ }, async () => {
      isPut = true
      return { contents: `export const encodedSchema = ${JSON.stringify(await loadEncodedSchema())}` }
    })
    onEnd(() =>
      isPut ? {} : { errors: [{ text: 'nothing imports encoded-schema.ts: the schema is not in the program' }] },
    )
  },
}

/** The text of the executable. Throws with esbuild's own complaints. */
export const bundleTerraformProvider = (): Promise<string> =>
  bundlePlugin({ entry: 'provider/src/terraform-main.ts', complainsOn: 'stdout', plugins: [withSchema] })

/** Writes the executable to `file`. */
export async function writeTerraformProvider(file: string): Promise<void> {
  const text = await bundleTerraformProvider()
  mkdirSync(dirname(file), { recursive: true })
  writeExecutable(file, text)
}

/** The executable of the present sources, in a folder of its own that other runs may be using too. */
export const cachedTerraformProvider = async (): Promise<string> =>
  join(await cachedPlugin(NAME, await bundleTerraformProvider()), NAME)
