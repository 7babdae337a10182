/** The example for constructs, by both libraries and the real Terraform. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startStore, storeMetadata } from '../adopt/live-store.ts'
import { assertSameMetadata } from '../same-metadata.ts'
import { createTerraformFolder, withoutTerraform } from '../terraform/terraform.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The configuration that the example makes with a library: its text. */
async function synthesise(t: TestContext, library: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-cdk-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await cp(join(root, 'examples/music-store/cdktf'), folder, { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.ts')) continue
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replace(/(from '(?:@svc\/)?)cdktf'/g, `$1${library}'`))
  }
  const { status, stderr } = spawnSync(process.execPath, ['main.ts'], { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return readFile(join(folder, 'cdktf.out/stacks/music-store/cdk.tf.json'), 'utf8')
}

/** What is applied: all but the library's own remarks and where the state lies. */
function applied(text: string): unknown {
  interface Synthesised {
    readonly terraform: { readonly required_providers: object }
  }
  const { terraform, ...configuration } = JSON.parse(text, (key, json) =>
    key === '//' ? undefined : json,
  ) as Synthesised
  return { ...configuration, providers: terraform.required_providers }
}

test('the example is the same by each library, and declares what the directory does', {
  skip: withoutTerraform,
}, async (t) => {
  const text = await synthesise(t, 'cdktf')
  assert.deepEqual(applied(await synthesise(t, 'cdktn')), applied(text))
  const engine = await startStore(t, null)
  const folder = await createTerraformFolder(engine, t)
  await folder.write('cdk.tf.json', text)
  assert.match(await folder.apply(), /Apply complete! Resources: 81 added, 0 changed, 0 destroyed/)
  assertSameMetadata((await engine.metadata('export_metadata', {})).body, await storeMetadata())
  assert.equal(await folder.isChanged(), false)
})
