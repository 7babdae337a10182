import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { blocksOf, examplesOf, patternOf } from '../console-examples.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { createSvcFolder, type SvcFolder } from './svc.ts'

/** Carries a page out from its first example to its last, on an engine of its own. */
async function runPage(t: TestContext, page: string): Promise<void> {
  const blocks = blocksOf(await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8'))
  const database = await createTestDatabase()
  for (const { language, text } of blocks) if (language === 'sql' && !fileOf(text)) await runSql(database.url, text)
  const engine = await startEngine({ databaseUrl: database.url }, t)
  t.after(database.drop)
  const folder = await createSvcFolder(engine, t)
  let directory = '.'
  let ran = 0
  for (const { language, text } of blocks) {
    const file = fileOf(text)
    if (language !== 'console' && file) await folder.write(`${directory}/${file}`, text)
    if (language !== 'console') continue
    for (const { command, output } of examplesOf(text)) {
      ran++
      if (command.startsWith('cd ')) directory = command.slice(3)
      else await runExample(folder, engine.url, directory, command, output)
    }
  }
  assert.ok(ran > 0)
}

const fileOf = (text: string): string | undefined => /^(?:#|--) file: (.+)\n/.exec(text)?.[1]

async function runExample(folder: SvcFolder, url: string, directory: string, command: string, output: string) {
  const settings =
    directory === '.' ? 'SVC_GRAPHQL_ENDPOINT=http://localhost:8080 SVC_GRAPHQL_ADMIN_SECRET=test-secret' : ''
  const line = `cd ${directory}\n${settings && `export ${settings}\n`}${command}`.replaceAll(
    'http://localhost:8080',
    url,
  )
  // every ten seconds a busy machine has a line that work goes on
  const printed = (await folder.shell(line))
    .replaceAll(url, 'http://localhost:8080')
    .replaceAll(/^making the database \d+0 s\n/gm, '')
  const ended = printed === '' || printed.endsWith('\n') ? printed : `${printed}\n`
  assert.match(ended, patternOf(output), `\`${command}\` printed:\n${ended}`)
}

async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

// the pages speak the language of a POSIX shell
const shell = { skip: process.platform === 'win32' }

test('docs/cli.md shows what the commands print', shell, (t) => runPage(t, 'cli.md'))

test('docs/drift.md shows what the commands print', shell, (t) => runPage(t, 'drift.md'))

test('docs/migrate.md shows what the commands print', shell, (t) => runPage(t, 'migrate.md'))

test('docs/permission-tests.md shows what the commands print', shell, (t) => runPage(t, 'permission-tests.md'))

test('docs/advice.md shows what the commands print', shell, (t) => runPage(t, 'advice.md'))
