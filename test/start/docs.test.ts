import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { blocksOf, examplesOf, patternOf } from '../console-examples.ts'
import { createTestDatabase } from '../postgres.ts'
import { checkout, makeScene, urlOf } from './npm-start.ts'

const page = readFileSync(join(checkout, 'docs/getting-started.md'), 'utf8')
const examples = blocksOf(page).flatMap(({ language, text }) => (language === 'console' ? examplesOf(text) : []))
const servesForEver = (command: string) => command.endsWith('svc-engine serve')

const needs = {
  skip: spawnSync('sh', ['-c', 'command -v curl']).status === 0 ? false : 'needs a POSIX shell and curl',
}

/** What README.md shows of the first start, without what differs from run to run and what is left out. */
function pictured(): readonly string[] {
  const picture = blocksOf(readFileSync(join(checkout, 'README.md'), 'utf8')).find(
    ({ language }) => language === 'text',
  )
  const lines = picture?.text.split('\n').filter((line) => !/…|█| ms$/.test(line)) ?? []
  assert.ok(lines.length > 40)
  return lines
}

test('the commands of README.md are those that the tests run', () => {
  const readme = readFileSync(join(checkout, 'README.md'), 'utf8')
  const commands = [readme, page].flatMap(blocksOf).filter(({ language }) => language === 'sh')
  assert.deepEqual([...new Set(commands.map(({ text }) => text))], ['npm ci && npm start\n', 'npm ci && npm test\n'])
})

test('README.md and docs/getting-started.md show what the commands print', needs, async (t) => {
  const scene = makeScene()
  t.after(scene.cleanUp)
  const run = scene.start()
  await run.ready
  for (const line of pictured())
    assert.ok(run.output().replaceAll(urlOf(run), 'http://127.0.0.1:8080').includes(line), `README.md shows: ${line}`)
  const reader = join(dirname(scene.home), 'reader')
  mkdirSync(reader)
  for (const name of ['node_modules', 'examples']) symlinkSync(join(checkout, name), join(reader, name))
  symlinkSync(scene.home, join(reader, '.svc'))
  const exports: string[] = []
  const here = (text: string) => text.replaceAll('http://localhost:8080', urlOf(run))
  for (const { command, output } of examples) {
    if (command.startsWith('export ')) exports.push(command)
    if (command.startsWith('export ') || servesForEver(command)) continue
    const script = [...exports, 'exec 2>&1', here(command)].join('\n')
    const { stdout } = spawnSync('sh', ['-c', script], {
      cwd: reader,
      encoding: 'utf8',
      // the project of the example, and the one that `svc init` makes, name the usual port
      env: { PATH: process.env.PATH, HOME: reader, SVC_GRAPHQL_ENDPOINT: urlOf(run) },
    })
    const printed = stdout === '' || stdout.endsWith('\n') ? stdout : `${stdout}\n`
    assert.match(printed.replaceAll(urlOf(run), 'http://localhost:8080'), patternOf(output), command)
  }
})

test('docs/getting-started.md shows how to serve a database of your own', needs, async (t) => {
  const [example] = examples.filter(({ command }) => servesForEver(command))
  assert.ok(example)
  const database = await createTestDatabase()
  const command = example.command.replace(/"postgres:[^"]*"/, `"${database.url}"`)
  const engine = spawn('sh', ['-c', `exec env ${command}`], {
    cwd: checkout,
    env: { PATH: `${join(checkout, 'node_modules/.bin')}:${process.env.PATH}`, SVC_GRAPHQL_SERVER_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    const ended = new Promise((resolve) => engine.once('close', resolve))
    engine.kill('SIGTERM')
    await ended
    await database.drop()
  })
  for await (const line of createInterface(engine.stdout)) {
    const { detail } = JSON.parse(line)
    if (detail.kind === 'server') return assert.equal((await fetch(`${detail.info.url}/healthz`)).status, 200)
  }
  assert.fail('it ended before it served')
})
