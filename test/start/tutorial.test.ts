/** docs/tutorial.md from its first line to its last, in one shell, with its files where it says, on free ports. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { blocksOf, examplesOf, patternOf } from '../console-examples.ts'
import { fastFolder } from '../fast-folder.ts'
import { checkout } from './npm-start.ts'

const page = readFileSync(join(checkout, 'docs/tutorial.md'), 'utf8')

const needs = {
  skip: spawnSync('sh', ['-c', 'command -v curl']).status === 0 ? false : 'needs a POSIX shell and curl',
}

test('docs/tutorial.md makes a shop, and shows what its commands print', needs, async (t) => {
  const ports = { 8080: await freePort(), 4000: await freePort() }
  const here = (text: string) =>
    Object.entries(ports).reduce(
      (all, [usual, port]) => all.replaceAll(`localhost:${usual}`, `localhost:${port}`),
      text,
    )
  const there = (text: string) =>
    Object.entries(ports).reduce(
      (all, [usual, port]) => all.replaceAll(`localhost:${port}`, `localhost:${usual}`),
      text,
    )
  const folder = mkdtempSync(join(fastFolder(), 'svc-tutorial-'))
  chmodSync(folder, 0o755)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [reader, shop] = [join(folder, 'checkout'), join(folder, 'shop')]
  mkdirSync(reader)
  symlinkSync(join(checkout, 'node_modules'), join(reader, 'node_modules'))
  const shell = startShell(reader, { SVC_GRAPHQL_SERVER_PORT: String(ports[8080]), SVC_GRAPHQL_ENDPOINT: `http://localhost:${ports[8080]}` }) // biome-ignore format: one line
  t.after(shell.end)
  for (const { language, text } of blocksOf(page)) {
    const file = /^(?:#|--|\/\/) file: (.+)\n/.exec(text)?.[1]
    if (file) {
      const [found = file] = globSync(file, { cwd: shop })
      mkdirSync(dirname(join(shop, found)), { recursive: true })
      writeFileSync(join(shop, found), here(text))
    }
    if (language === 'console')
      for (const { command, output } of examplesOf(text)) {
        const printed = there(await shell.run(here(command)))
        assert.match(printed, patternOf(output), `\`${command}\` printed:\n${printed}`)
      }
  }
})

/** One shell for all commands, as a reader has it: its folder, its variables and what runs in its background stay. */
function startShell(cwd: string, settings: NodeJS.ProcessEnv) {
  const shell = spawn('sh', [], {
    cwd,
    detached: true,
    env: { PATH: process.env.PATH, HOME: cwd, NO_COLOR: '1', ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // ends it with all that is in its background, also where this process is killed
  const guard = spawn('sh', ['-c', `read _; kill -TERM -${shell.pid}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const closed = new Promise((resolve) => shell.once('close', resolve))
  let printed = ''
  let received = () => {}
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    received()
  })
  shell.stdin.write('exec 2>&1\n')
  return {
    async run(command: string): Promise<string> {
      shell.stdin.write(`${command}\necho; echo "command done"\n`)
      const end = '\ncommand done\n'
      await new Promise<void>((resolve, reject) => {
        received = () => printed.endsWith(end) && resolve()
        void closed.then(() => reject(new Error(`the shell ended:\n${printed}`)))
        received()
      })
      const text = printed.slice(0, -end.length)
      printed = ''
      return text === '' || text.endsWith('\n') ? text : `${text}\n`
    },
    async end(): Promise<void> {
      guard.stdin.end()
      await closed
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address !== null && typeof address === 'object' ? address.port : 0
}
