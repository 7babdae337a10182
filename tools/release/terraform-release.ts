/** What a registry of Terraform wants of a release: archives, manifest, sums, their signature, and the pages. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zipSync } from 'fflate'
import { bundleTerraformProvider } from '../bundle-terraform.ts'
import { terraformPages } from '../docs/terraform-pages.ts'
import { registryPages } from './registry-pages.ts'

/** Windows starts no scripts. */
const platforms = ['linux_amd64', 'linux_arm64', 'darwin_amd64', 'darwin_arm64'] as const

export interface TerraformRelease {
  readonly version: string
  /** Names of its files in the folder. */
  readonly files: readonly string[]
}

/**
 * Writes the release to `folder`, which is made again. `key`: of gpg, to sign with; null leaves the signature out. Throws
 * where gpg refuses.
 */
export async function writeTerraformRelease(folder: string, key: string | null): Promise<TerraformRelease> {
  const { version } = JSON.parse(readFileSync('provider/package.json', 'utf8')) as { readonly version: string }
  const name = `terraform-provider-svc_${version}`
  const program = Buffer.from(await bundleTerraformProvider())
  const archive = zipSync(
    { [`terraform-provider-svc_v${version}`]: [program, { os: unix, attrs: executable << 16, mtime: noDate }] },
    { level: 9 },
  )
  const released = new Map<string, Uint8Array>(platforms.map((platform) => [`${name}_${platform}.zip`, archive]))
  const manifest = { version: 1, metadata: { protocol_versions: ['6.0'] } }
  released.set(`${name}_manifest.json`, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  const sums = [...released].map(([file, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`)
  released.set(`${name}_SHA256SUMS`, Buffer.from(sums.join('')))
  rmSync(folder, { recursive: true, force: true })
  const pages = registryPages(await terraformPages())
  for (const [file, content] of [...released, ...pages]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  if (key !== null) sign(join(folder, `${name}_SHA256SUMS`), key)
  return { version, files: [...released.keys(), ...(key === null ? [] : [`${name}_SHA256SUMS.sig`])] }
}

/** Binary and in a file of its own, as registries check it. */
function sign(file: string, key: string): void {
  const signing = spawnSync(
    'gpg',
    ['--batch', '--yes', '--local-user', key, '--output', `${file}.sig`, '--detach-sign', file],
    { encoding: 'utf8' },
  )
  if (signing.status !== 0) throw new Error(`gpg did not sign: ${signing.error?.message ?? signing.stderr}`)
}

const unix = 3
const executable = 0o100755
/** The same archive of the same sources, whenever it is made. */
const noDate = new Date('2020-01-01T00:00:00Z')
