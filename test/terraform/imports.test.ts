/** Imports: the commands of the reference, and configuration that Terraform writes of what is there. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { terraformPages } from '../../tools/docs/terraform-pages.ts'
import { startEngine } from '../engine.ts'
import { createTerraformFolder, requiredProvider, withoutTerraform } from './terraform.ts'

const skip = withoutTerraform

test("every import command of the reference has an address and an id that parse, in Terraform's own names", {
  skip,
}, async (t) => {
  const engine = await startEngine({}, t)
  const folder = await createTerraformFolder(engine, t)
  const blocks: string[] = []
  for (const { kind, name, text } of await terraformPages()) {
    assert.doesNotMatch(text, /\((boolean|integer)\b|`[A-Z][a-z]+[A-Z][A-Za-z]*`/, name)
    if (kind !== 'resource') continue
    const [, address, id] = /^terraform import (\S+) (\S+)$/m.exec(text) ?? []
    assert.ok(address && id, text)
    assert.match(text, new RegExp(`^resource "${address.replace('.', '" "')}" `, 'm'))
    blocks.push(`import {\n  to = ${address}\n  id = "${id}"\n}\n`)
  }
  await folder.write('main.tf', `${requiredProvider}${blocks.join('\n')}`)
  const { stderr } = await folder.run('plan', '-no-color', '-generate-config-out=generated.tf')
  // the engine has none of them, which is found out after the ids were read
  assert.match(stderr, /Cannot import non-existent remote object/)
  assert.doesNotMatch(stderr, /is no id of|Invalid address|Invalid import/)
})

test('what -generate-config-out leaves out of an import is an error, and nothing is lost', { skip }, async (t) => {
  const engine = await startEngine({}, t)
  const trigger = {
    name: 'nightly',
    webhook: 'http://example.com',
    schedule: '0 5 * * *',
    include_in_metadata: true,
    request_transform: {
      version: 2,
      template_engine: 'Kriti',
      request_headers: { add_headers: { authorization: 'Bearer canary' } },
    },
  }
  assert.equal((await engine.metadata('create_cron_trigger', trigger)).status, 200)
  const stored = async () => (await engine.metadata('export_metadata', {})).text
  const before = await stored()
  const folder = await createTerraformFolder(engine, t)
  await folder.write('main.tf', `${requiredProvider}import {\n  to = svc_cron_trigger.nightly\n  id = "nightly"\n}\n`)
  const lost = /request_transform\.add_headers: is set in the engine, and this import would\s+remove it/
  const planned = await folder.run('plan', '-no-color', '-generate-config-out=generated.tf')
  assert.equal(planned.code, 1, planned.stdout)
  assert.match(planned.stderr, lost)
  const file = join(folder.path, 'generated.tf')
  const generated = await readFile(file, 'utf8')
  assert.match(generated, /add_headers += null # sensitive/)
  const applied = await folder.run('apply', '-no-color', '-auto-approve')
  assert.equal(applied.code, 1, applied.stdout)
  assert.match(applied.stderr, lost)
  assert.equal(await stored(), before)
  await writeFile(
    file,
    generated.replace(/add_headers += null # sensitive/, 'add_headers = { authorization = "Bearer canary" }'),
  )
  assert.match(await folder.apply(), /1 imported, 0 added, 0 changed, 0 destroyed/)
  assert.equal(await stored(), before)
  assert.equal(await folder.isChanged(), false)
  await writeFile(file, generated)
  assert.match(await folder.apply(), /0 added, 1 changed, 0 destroyed/)
  assert.equal((await stored()).includes('canary'), false)
})
