/**
 * `npm run release:terraform -- [--sign KEY]`: the release of the Terraform provider in dist/terraform-registry, as a
 * registry takes it: an archive for each platform, manifest, SHA256SUMS with the signature of the gpg key, and the pages
 * (docs/). Without `--sign` there is no signature, which registries refuse and mirrors do not request.
 */
import { parseArgs } from 'node:util'
import { writeTerraformRelease } from './release/terraform-release.ts'

const { values } = parseArgs({ options: { sign: { type: 'string' } } })
const folder = 'dist/terraform-registry'
const { version, files } = await writeTerraformRelease(folder, values.sign ?? null)
console.log(`version ${version} in ${folder}:\n${files.map((file) => `  ${file}`).join('\n')}\n  docs/`)
