/** The reference pages are those of the declarations, and every configuration in the documentation is one that works. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { loadMusicStore } from '../../examples/music-store/load.ts'
import { TERRAFORM_PAGES, terraformPages } from '../../tools/docs/terraform-pages.ts'
import { blocksOf, examplesOf, patternOf } from '../console-examples.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createTerraformFolder, requiredProvider, type TerraformFolder, withoutTerraform } from './terraform.ts'

const examples = join(TERRAFORM_PAGES, 'examples')

async function startStore(t: TestContext): Promise<Engine> {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await loadMusicStore(client).finally(() => client.end())
  const engine = await startEngine({ databaseUrl: database.url, env: { REPORTS_DATABASE_URL: database.url } }, t)
  t.after(database.drop)
  return engine
}

test('the reference pages are what `npm run docs` makes of the declarations', async () => {
  const pages = await terraformPages()
  const files = (await readdir(TERRAFORM_PAGES)).filter((name) => name.endsWith('.md'))
  assert.deepEqual(files.sort(), pages.map(({ file }) => file).sort())
  for (const { file, text } of pages) assert.equal(await readFile(join(TERRAFORM_PAGES, file), 'utf8'), text, file)
})

test('every example of the reference is applied, and its second plan is empty', {
  skip: withoutTerraform,
}, async (t) => {
  const engine = await startStore(t)
  const before = (await engine.metadata('export_metadata', {})).body
  // one folder for all: each example has an engine that nobody has declared anything to, and is spared an init
  const folder = await createTerraformFolder(engine, t)
  folder.environment.TF_VAR_database_url = engine.databaseUrl
  const texts = new Map<string, string>()
  for (const file of await readdir(examples)) {
    texts.set(file, await readFile(join(examples, file), 'utf8'))
    await folder.write(join('all', file), texts.get(file) ?? '')
  }
  await folder.write('main.tf', requiredProvider)
  await folder.succeed('fmt', '-no-color', '-check', '-diff', '-recursive')
  for (const [file, text] of texts)
    await t.test(file, async () => {
      await folder.write('main.tf', text.includes('required_providers') ? text : `${requiredProvider}${text}`)
      if (file === 'svc.tf') {
        await folder.succeed('validate', '-no-color')
        return
      }
      await folder.apply()
      assert.equal(await folder.isChanged(), false)
      await engine.metadata('replace_metadata', before)
    })
})

test('docs/terraform.md is true from its first example to its last', { skip: withoutTerraform }, async (t) => {
  const engine = await startStore(t)
  const folder = await createTerraformFolder(engine, t)
  const page = await readFile(new URL('../../docs/terraform.md', import.meta.url), 'utf8')
  let ran = 0
  for (const { language, text } of blocksOf(page)) {
    const file = /^# file: (.+)\n/.exec(text)?.[1]
    if (language === 'hcl' && file) await folder.write(file, text)
    else if (language === 'hcl') await validate(t, engine, text)
    if (language === 'console')
      for (const { command, output } of examplesOf(text)) {
        ran++
        await runExample(folder, engine, command, output)
      }
  }
  assert.ok(ran > 0)
})

async function validate(t: TestContext, engine: Engine, text: string): Promise<void> {
  const folder = await createTerraformFolder(engine, t)
  await folder.write('main.tf', text.includes('required_providers') ? text : `${requiredProvider}${text}`)
  await folder.succeed('validate', '-no-color')
}

async function runExample(folder: TerraformFolder, engine: Engine, command: string, output: string): Promise<void> {
  const local = 'http://localhost:8080'
  const printed = (await folder.shell(command.replaceAll(local, engine.url))).replaceAll(engine.url, local)
  assert.match(printed, patternOf(output), `\`${command}\` printed:\n${printed}`)
}
