import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { createSvcFolder } from '../cli/svc.ts'
import { blocksOf, examplesOf, patternOf } from '../console-examples.ts'
import type { Engine } from '../engine.ts'
import { createTerraformFolder, withoutTerraform } from '../terraform/terraform.ts'
import { startStore, storeMetadata, versionOf } from './live-store.ts'

let engine: Engine
const cleanUps: (() => Promise<void>)[] = []
before(async () => {
  engine = await startStore({ after: (cleanUp) => cleanUps.push(cleanUp) }, await storeMetadata())
})
after(async () => {
  for (const cleanUp of cleanUps) await cleanUp()
})

test('docs/adopt.md shows what the commands print, and changes nothing in the engine', {
  skip: withoutTerraform,
}, async (t) => {
  const { path: svc } = await createSvcFolder(engine, t)
  const folder = await createTerraformFolder(engine, t)
  folder.environment.PATH = `${join(svc, '.bin')}${delimiter}${process.env.PATH}`
  const page = await readFile(new URL('../../docs/adopt.md', import.meta.url), 'utf8')
  const examples = blocksOf(page).flatMap(({ language, text }) => (language === 'console' ? examplesOf(text) : []))
  assert.equal(examples.length, 6)
  const before = await versionOf(engine)
  for (const { command, output } of examples) {
    const printed = await folder.shell(command)
    assert.match(printed, patternOf(output), `\`${command}\` printed:\n${printed}`)
  }
  assert.equal(await versionOf(engine), before)
  const written = async (file: string) => readFile(join(folder.path, 'adopted', file), 'utf8')
  assert.match(
    await written('select_permission.tf'),
    /"invoice_line_customer" \{[^}]* table {6}= svc_table\.invoice_line\.table\n[^"]*"customer"[\s\S]*?\n {2}depends_on = \[svc_object_relationship\.invoice_line_invoice\]\n/,
  )
  assert.match(
    await written('array_relationship.tf'),
    /remote_foreign_key = \{ table = svc_table\.album\.table, columns = \["artist_id"\] \}\n/,
  )
})

test('nothing is overwritten, and one of the tools has to be named', async (t) => {
  const { svc, write } = await createSvcFolder(engine, t)
  assert.match(
    (await svc('adopt')).stderr,
    /^error: say for which tool: --terraform DIRECTORY or --pulumi DIRECTORY\n$/,
  )
  await write('adopted/imports.tf', '# mine\n')
  const refused = await svc('adopt', '--terraform', 'adopted')
  assert.equal(refused.code, 1)
  assert.equal(refused.stderr, 'error: adopted/imports.tf is already there\n')
  const { stderr } = await svc('adopt', '--pulumi', 'new', '--language', 'cobol')
  assert.match(stderr, /Allowed choices are typescript, yaml/)
})
