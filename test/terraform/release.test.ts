import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { type TestContext, test } from 'node:test'
import { writeTerraformRelease } from '../../tools/release/terraform-release.ts'
import { requiredProvider, SOURCE, VERSION, withoutTerraform } from './terraform.ts'

const withoutGpg = spawnSync('gpg', ['--version'], { stdio: 'ignore' }).status === 0 ? false : 'there is no gpg'

async function folderOf(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'svc-release-'))
  t.after(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

test('terraform installs a release from a mirror and checks a configuration with it', {
  skip: withoutTerraform,
}, async (t) => {
  const path = await folderOf(t)
  await writeTerraformRelease(join(path, 'release'), null)
  const mirror = join(path, 'mirror', SOURCE)
  await mkdir(mirror, { recursive: true })
  const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`
  const archive = `terraform-provider-svc_${VERSION}_${platform}.zip`
  await copyFile(join(path, 'release', archive), join(mirror, archive))
  await writeFile(
    join(path, 'rc'),
    `provider_installation {\n  filesystem_mirror { path = "${join(path, 'mirror')}" }\n}\n`,
  )
  await writeFile(join(path, 'main.tf'), `${requiredProvider}\nresource "svc_table" "a" { table = { name = "a" } }\n`)
  const terraform = (...args: readonly string[]) =>
    execFileSync('terraform', args, {
      cwd: path,
      encoding: 'utf8',
      env: { ...process.env, TF_CLI_CONFIG_FILE: join(path, 'rc') },
    })
  terraform('init', '-no-color')
  assert.match(terraform('validate', '-no-color'), /configuration is valid/)
})

test('archives, sums and signature fit each other, and a second release is the same', {
  skip: withoutGpg,
}, async (t) => {
  const path = await folderOf(t)
  // sockets of gpg's agent have short paths only
  const home = await mkdtemp('/tmp/gpg-')
  const before = process.env.GNUPGHOME
  process.env.GNUPGHOME = home
  t.after(async () => {
    spawnSync('gpgconf', ['--kill', 'all'])
    if (before === undefined) delete process.env.GNUPGHOME
    else process.env.GNUPGHOME = before
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  })
  const key = 'release@example.com'
  execFileSync('gpg', ['--batch', '--passphrase', '', '--quick-gen-key', key, 'ed25519', 'sign'], { stdio: 'ignore' })
  const release = join(path, 'release')
  const { version, files } = await writeTerraformRelease(release, key)
  const name = `terraform-provider-svc_${version}`
  assert.deepEqual([...files].sort(), (await readdir(release)).filter((file) => file !== 'docs').sort())
  const manifest = JSON.parse(await readFile(join(release, `${name}_manifest.json`), 'utf8'))
  assert.deepEqual(manifest.metadata.protocol_versions, ['6.0'])
  const sums = await readFile(join(release, `${name}_SHA256SUMS`), 'utf8')
  const lines = sums.trim().split('\n')
  assert.equal(lines.length, 5)
  for (const line of lines) {
    const [sum, file = ''] = line.split('  ')
    assert.equal(
      createHash('sha256')
        .update(await readFile(join(release, file)))
        .digest('hex'),
      sum,
    )
  }
  const check = () =>
    spawnSync('gpg', ['--verify', `${name}_SHA256SUMS.sig`, `${name}_SHA256SUMS`], { cwd: release }).status
  assert.equal(check(), 0)
  await writeTerraformRelease(release, key)
  assert.equal(await readFile(join(release, `${name}_SHA256SUMS`), 'utf8'), sums)
  await writeFile(join(release, `${name}_SHA256SUMS`), `${sums} `)
  assert.notEqual(check(), 0)
  await assert.rejects(writeTerraformRelease(release, 'nobody@example.com'), /gpg did not sign: /)
})

test('the pages have front matter, and their links lead to pages', async (t) => {
  const release = await folderOf(t)
  await writeTerraformRelease(release, null)
  const pages = (await readdir(join(release, 'docs'), { recursive: true })).filter((file) => file.endsWith('.md'))
  assert.ok(pages.includes('index.md') && pages.includes('resources/table.md') && pages.includes('guides/drift.md'))
  for (const page of pages) {
    const text = await readFile(join(release, 'docs', page), 'utf8')
    assert.match(text, /^---\npage_title: ".+"\nsubcategory: ""\ndescription: ".+"\n---\n/, page)
    for (const [, target = ''] of text.matchAll(/\]\(([^):#]+\.md)(?:#[^)]*)?\)/g))
      assert.ok(existsSync(join(release, 'docs', posix.join(dirname(page), target))), `${page} links to ${target}`)
  }
})
