/** What `pluginDownloadURL` names: the plugin as an archive for each platform, and their sums. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePulumiPlugin, PLUGIN_NAME, windowsCommand } from '../bundle-pulumi.ts'
import { type ArchivedFile, tarGz } from './tar.ts'

/** As Pulumi spells them. */
const platforms = [
  'linux-amd64',
  'linux-arm64',
  'darwin-amd64',
  'darwin-arm64',
  'windows-amd64',
  'windows-arm64',
] as const

export interface PulumiRelease {
  readonly version: string
  /** Names of its files in the folder. */
  readonly files: readonly string[]
}

/** Writes the release to `folder`, which is made again. The same sources make the same files. */
export async function writePulumiRelease(folder: string): Promise<PulumiRelease> {
  const { version } = JSON.parse(readFileSync('provider/package.json', 'utf8')) as { readonly version: string }
  const plugin: readonly ArchivedFile[] = [
    { path: PLUGIN_NAME, content: Buffer.from(await bundlePulumiPlugin()), executable: true },
    { path: 'LICENSE', content: readFileSync('LICENSE') },
  ]
  const command = { path: `${PLUGIN_NAME}.cmd`, content: Buffer.from(windowsCommand) }
  const [everywhere, windows] = [tarGz(plugin), tarGz([...plugin, command])]
  const released = new Map(
    platforms.map((platform) => [
      `${PLUGIN_NAME}-v${version}-${platform}.tar.gz`,
      platform.startsWith('windows') ? windows : everywhere,
    ]),
  )
  const sums = [...released].map(([file, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`)
  released.set(`${PLUGIN_NAME}-v${version}-SHA256SUMS`, Buffer.from(sums.join('')))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [file, content] of released) writeFileSync(join(folder, file), content)
  return { version, files: [...released.keys()] }
}
