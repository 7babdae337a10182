/**
 * `npm run release:pulumi`: the release of the plugin for Pulumi in dist/pulumi-release: an archive for each platform, as
 * `pulumi plugin install` and `pluginDownloadURL` search for them, and SHA256SUMS. They go into the release `vVERSION`.
 */
import { writePulumiRelease } from './release/pulumi-release.ts'

const folder = 'dist/pulumi-release'
const { version, files } = await writePulumiRelease(folder)
console.log(`version ${version} in ${folder}:\n${files.map((file) => `  ${file}`).join('\n')}`)
