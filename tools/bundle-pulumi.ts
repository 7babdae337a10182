/** `pulumi-resource-svc`, as one executable file in a folder, which is how Pulumi searches for it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePlugin, cachedPlugin, writeExecutable } from './bundle-plugin.ts'

export const PLUGIN_NAME = 'pulumi-resource-svc'

/** For Windows, which starts no scripts of the shell. */
export const windowsCommand = `@node --max-semi-space-size=4 -e "require(process.argv[1])" -- "%~dp0${PLUGIN_NAME}" %*\r\n`

/** The text of the executable. Throws with esbuild's own complaints. */
export const bundlePulumiPlugin = (): Promise<string> =>
  bundlePlugin({ entry: 'provider/src/pulumi-main.ts', complainsOn: 'stderr' })

/** Writes the executable into `folder`, and next to it what starts it on Windows. */
export async function writePulumiPlugin(folder: string): Promise<void> {
  const text = await bundlePulumiPlugin()
  mkdirSync(folder, { recursive: true })
  writeExecutable(join(folder, PLUGIN_NAME), text)
  writeFileSync(join(folder, `${PLUGIN_NAME}.cmd`), windowsCommand)
}

/** The folder of the executable of the sources as they are now: what `plugins.providers[].path` wants. */
export const cachedPulumiPlugin = async (): Promise<string> => cachedPlugin(PLUGIN_NAME, await bundlePulumiPlugin())
