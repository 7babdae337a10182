import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

const launcher = new URL('./launch.js', import.meta.url).href

/** A program in TypeScript behind a launcher that takes this Node for `version`, as long as it is not started again. */
function start(
  t: TestContext,
  { version, program, arch = process.arch }: { version: string; program: string; arch?: string },
) {
  const directory = mkdtempSync(join(tmpdir(), 'svc-launch-'))
  writeFileSync(join(directory, 'program.ts'), program)
  writeFileSync(
    join(directory, 'bin.mjs'),
    `import { launch } from ${JSON.stringify(launcher)}
    if (process.env.SVC_LAUNCHER_LIFELINE === undefined) {
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
      Object.defineProperty(process, 'version', { value: 'v${version}' })
      Object.defineProperty(process, 'arch', { value: '${arch}' })
    }
    await launch(new URL('./missing.ts', import.meta.url), new URL('./program.ts', import.meta.url))`,
  )
  const child = spawn(process.execPath, [join(directory, 'bin.mjs'), 'one', 'two'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true })
  })
  let output = ''
  let isOpen = true
  let wake = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
      wake()
    })
  child.once('close', () => {
    isOpen = false
    wake()
  })
  /** Waits until the output holds `text`, and reports the whole output. */
  const says = async (text: string): Promise<string> => {
    while (isOpen && !output.includes(text))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    assert.ok(output.includes(text), output)
    return output
  }
  return { child, says, output: () => output }
}

const ended = async (child: ChildProcess): Promise<{ code: number | null; signal: string | null }> => {
  const [code, signal] = await once(child, 'close')
  return { code, signal }
}

const server = `
  const up: string = [process.pid, process.ppid, ...process.argv.slice(2)].join(' ')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const)
    process.on(signal, () => {
      console.log('got ' + signal)
      if (signal === 'SIGTERM') process.exit(7)
    })
  setInterval(() => {}, 1000)
  console.log('up ' + up + '.')`

for (const version of ['20.11.0', '24.0.0'])
  test(`started by Node ${version}, the program gets arguments and signals, and its exit code is the launcher's`, async (t) => {
    const { child, says } = start(t, { version, program: server })
    await says('one two.')
    child.kill('SIGUSR2')
    await says('got SIGUSR2')
    child.kill('SIGINT')
    await says('got SIGINT')
    child.kill('SIGTERM')
    assert.deepEqual(await ended(child), { code: 7, signal: null })
  })

test('started by an old Node, the program runs in another process, with 24 or newer it runs in the same', async (t) => {
  for (const [version, own] of [
    ['20.11.0', false],
    ['24.0.0', true],
  ] as const) {
    const { child, says } = start(t, { version, program: server })
    assert.equal((await says('one two.')).includes(`up ${child.pid} `), own)
  }
})

test('a program that dies of a signal makes the launcher die of it', async (t) => {
  const { child } = start(t, { version: '20.11.0', program: `process.kill(process.pid, 'SIGKILL')` })
  assert.deepEqual(await ended(child), { code: null, signal: 'SIGKILL' })
})

test('a launcher that is killed leaves no program behind', async (t) => {
  const { child, says } = start(t, { version: '20.11.0', program: server })
  await says('one two.')
  child.kill('SIGKILL')
  await says('got SIGTERM')
  await ended(child) // the program held the other end of its output
})

test('one Ctrl-C, which reaches the launcher and the program, counts once, a later one again', async (t) => {
  // twice asked for at each: its clock goes on by half a second with SIGUSR2 alone, however long signals are under way
  const clock = `
  let [now, looks] = [0, 0]
  performance.now = () => {
    console.log('look ' + ++looks + '.')
    return now
  }
  process.on('SIGUSR2', () => { now += 500 })`
  const { child, says, output } = start(t, { version: '20.11.0', program: `${clock}${server}` })
  const [, program] = /up (\d+) /.exec(await says('one two.')) ?? []
  process.kill(Number(program), 'SIGINT')
  await says('look 2.')
  child.kill('SIGINT')
  await says('look 4.')
  child.kill('SIGUSR2')
  await says('got SIGUSR2')
  child.kill('SIGINT')
  await says('look 6.')
  child.kill('SIGTERM')
  await ended(child)
  assert.equal(output().split('got SIGINT').length - 1, 2)
})

test('no ExperimentalWarning reaches the terminal', async (t) => {
  const program = `const a: number = 1; process.emitWarning('x', 'ExperimentalWarning')`
  const { child, output } = start(t, { version: '24.0.0', program })
  await ended(child)
  assert.equal(output(), '')
})

test('an old Node on a platform that no Node 24 was installed for says in one line what to do', async (t) => {
  const { child, output } = start(t, { version: '20.11.0', program: server, arch: 'mips' })
  assert.deepEqual(await ended(child), { code: 1, signal: null })
  assert.equal(
    output(),
    `this needs Node.js 24 or newer (running: v20.11.0), and no copy for ${process.platform}-mips is installed: ` +
      'install Node.js 24, or run npm again without --omit=optional\n',
  )
})

test('the docs say which Node each platform gets', () => {
  const text = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const { optionalDependencies } = JSON.parse(text('package.json'))
  const rows = text('../docs/operations.md').matchAll(/^\| [^|]+ \| (24[\d.]+) \| `(node-[^`]+)` \|$/gm)
  assert.deepEqual(Object.fromEntries([...rows].map(([, version, name]) => [name, version])), optionalDependencies)
})
