/** The release of the plugin, as Pulumi downloads it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writePulumiRelease } from '../../tools/release/pulumi-release.ts'
import { startStore } from './music-store.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Serves the files of a folder over HTTP; gives its address and the paths that were asked for. */
async function serve(folder: string, t: TestContext): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const file = join(folder, url.split('/').at(-1) ?? '')
    if (existsSync(file)) response.end(readFileSync(file))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise((resolve) => server.close(resolve)))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const declaring = (options: object) =>
  JSON.stringify({
    name: 'test',
    runtime: 'yaml',
    resources: { album: { type: 'svc:Table', properties: { table: { name: 'album' } }, options } },
  })

test('an archive for each platform, whose sums fit, and a second release is the same', async (t) => {
  const release = join(temporaryFolder(t), 'release')
  const { version, files } = await writePulumiRelease(release)
  const sumsFile = `pulumi-resource-svc-v${version}-SHA256SUMS`
  const sums = readFileSync(join(release, sumsFile), 'utf8')
  const lines = sums.trim().split('\n')
  assert.deepEqual([...lines.map((line) => line.split('  ')[1]), sumsFile], files)
  for (const line of lines) {
    const [sum, file = ''] = line.split('  ')
    assert.equal(
      createHash('sha256')
        .update(readFileSync(join(release, file)))
        .digest('hex'),
      sum,
    )
  }
  const listed = (platform: string) =>
    spawnSync('tar', ['-tvzf', join(release, `pulumi-resource-svc-v${version}-${platform}.tar.gz`)], {
      encoding: 'utf8',
    }).stdout
  assert.match(listed('darwin-arm64'), /^-rwxr-xr-x .* pulumi-resource-svc\n-rw-r--r-- .* LICENSE\n$/)
  assert.match(listed('windows-amd64'), / pulumi-resource-svc\.cmd\n$/)
  await writePulumiRelease(release)
  assert.equal(readFileSync(join(release, sumsFile), 'utf8'), sums)
})

test('pulumi plugin install takes the release from a server, and a program in YAML runs with it', {
  skip: withoutPulumi,
}, async (t) => {
  const engine = await startStore(t)
  const project = await createPulumiProject(engine, t)
  const release = join(project.path, 'release')
  const { version } = await writePulumiRelease(release)
  const { url, asked } = await serve(release, t)
  project.write('Pulumi.yaml', declaring({}))
  await project.succeed('plugin', 'install', 'resource', 'svc', version, '--server', url)
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  assert.deepEqual(asked, [`/pulumi-resource-svc-v${version}-${platform}.tar.gz`])
  assert.match(await project.succeed('plugin', 'ls'), new RegExp(`svc +resource +${version.replaceAll('.', '\\.')}`))
  await project.up()
  assert.equal((await engine.metadata('export_metadata', {})).body.sources[0].tables.length, 1)
  assert.equal(await project.isChanged('--refresh'), false)
  await project.succeed('destroy', '--yes')
})

test('where no plugin is at hand Pulumi fetches it from the address that a resource names', {
  skip: withoutPulumi,
}, async (t) => {
  const engine = await startStore(t)
  const project = await createPulumiProject(engine, t)
  project.environment.PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION = undefined
  const { version } = await writePulumiRelease(join(project.path, 'release'))
  const { url, asked } = await serve(join(project.path, 'release'), t)
  project.write('Pulumi.yaml', declaring({ version, pluginDownloadURL: url }))
  assert.equal((await project.up()).create, 2)
  assert.ok(
    asked.every((path) => path.startsWith(`/pulumi-resource-svc-v${version}-`)),
    String(asked),
  )
  assert.equal(await project.isChanged(), false)
})
