/** Two engines behind HAProxy with the configuration of examples/deploy, each replaced by SIGTERM alone while clients go on. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createTestDatabase } from '../postgres.ts'
import { unless } from '../requirement.ts'

const isInstalled = spawnSync('haproxy', ['-v']).status === 0
const example = readFileSync(new URL('../../examples/deploy/haproxy.cfg', import.meta.url), 'utf8')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** The example's configuration for these addresses, and nothing else changed but what must be on this machine. */
function configurationFor(port: number, engines: readonly number[], socket: string): string {
  const [a = 0, b = 0] = engines
  return example
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('engine-a:8080', `127.0.0.1:${a}`)
    .replace('engine-b:8080', `127.0.0.1:${b}`)
    .replace('global\n', `global\n    stats socket ${socket}\n`)
}

/** What HAProxy thinks of its servers, by name. */
async function serverStates(socket: string): Promise<ReadonlyMap<string, string>> {
  const client = connect(socket)
  client.end('show stat\n')
  const [header = '', ...lines] = (await client.setEncoding('utf8').toArray()).join('').split('\n')
  const columns = header.replace(/^# /, '').split(',')
  const [name, status] = [columns.indexOf('svname'), columns.indexOf('status')]
  return new Map(lines.map((line) => line.split(',')).map((values) => [values[name] ?? '', values[status] ?? '']))
}

async function startHaproxy(t: TestContext, engines: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-haproxy-'))
  const [file, socket, port] = [join(folder, 'haproxy.cfg'), join(folder, 'stats'), await freePort()]
  writeFileSync(file, configurationFor(port, engines, socket))
  const checked = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
  assert.equal(checked.status, 0, checked.stderr)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  const isState = async (name: string, state: RegExp) => {
    for (;;) {
      const states = await serverStates(socket).catch(() => new Map<string, string>())
      if (state.test(states.get(name) ?? '')) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return { url: `http://127.0.0.1:${port}`, isState }
}

const post = (agent: Agent, url: string, body: object): Promise<string> =>
  new Promise((resolve) => {
    const asked = request(url, { agent, method: 'POST', headers: { 'content-type': 'application/json' } }, (answer) => {
      answer
        .setEncoding('utf8')
        .toArray()
        .then(
          (parts) => resolve(`${answer.statusCode} ${parts.join('')}`),
          (error: Error) => resolve(String(error)),
        )
    })
    asked.on('error', (error) => resolve(String(error)))
    asked.end(JSON.stringify(body))
  })

/** Without a log, which would cost the test as much as the requests. HAProxy says when it serves. */
function spawnEngine(t: TestContext, databaseUrl: string, port: number): ChildProcess {
  const program = new URL('../../engine/bin/svc-engine.js', import.meta.url).pathname
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_GRAPHQL_'))
  const env = {
    ...Object.fromEntries(inherited),
    SVC_GRAPHQL_DATABASE_URL: databaseUrl,
    SVC_GRAPHQL_SERVER_PORT: String(port),
    SVC_GRAPHQL_SHUTDOWN_DELAY: '5',
    SVC_GRAPHQL_HTTP_LOG_ONE_IN: '0',
  }
  const child = spawn(process.execPath, [program], { env, stdio: 'ignore' })
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  return child
}

const most = 20_000

test('haproxy reads the example', { skip: unless('haproxy', isInstalled, 'needs HAProxy') }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-haproxy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'haproxy.cfg'), configurationFor(1, [2, 3], join(folder, 'stats')))
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', join(folder, 'haproxy.cfg')], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

const skip = unless('haproxy', false, 'takes half a minute')
test('none of 20,000 requests fails while both engines are replaced by SIGTERM', { skip }, async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const ports = [await freePort(), await freePort()]
  const engines = ports.map((port) => spawnEngine(t, databaseUrl, port))
  const proxy = await startHaproxy(t, ports)
  for (const name of ['engine-a', 'engine-b']) await proxy.isState(name, /^UP/)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  t.after(() => agent.destroy())
  const ask = (path: string, body: object) => post(agent, `${proxy.url}${path}`, body)
  const sql = 'CREATE TABLE item (id serial PRIMARY KEY, name text)'
  assert.match(await ask('/v2/query', { type: 'run_sql', args: { sql } }), /^200/)
  assert.match(await ask('/v1/metadata', { type: 'pg_track_table', args: { table: 'item' } }), /^200/)
  // both serve the table
  for (const port of ports)
    while (
      !(await post(agent, `http://127.0.0.1:${port}/v1/graphql`, { query: '{ item { id } }' })).startsWith(
        '200 {"data"',
      )
    );

  let [sent, written, isReplaced] = [0, 0, false]
  const failures: string[] = []
  const client = async () => {
    while (sent < most || !isReplaced) {
      sent += 1
      const isWrite = sent % 10 === 0
      const query = isWrite
        ? 'mutation { insert_item_one(object: {name: "a"}) { name } }'
        : '{ item(limit: 1) { name } }'
      const answer = await ask('/v1/graphql', { query })
      if (!answer.startsWith('200 {"data"')) failures.push(answer)
      else if (isWrite) written += 1
    }
  }
  const clients = Array.from({ length: 16 }, client)
  for (const [at, name] of ['engine-a', 'engine-b'].entries()) {
    const old = engines[at]
    old?.kill('SIGTERM')
    if (old?.exitCode === null) await once(old, 'exit')
    assert.equal(old?.exitCode, 0)
    await proxy.isState(name, /^DOWN/)
    engines[at] = spawnEngine(t, databaseUrl, ports[at] ?? 0)
    await proxy.isState(name, /^UP/)
  }
  isReplaced = true
  await Promise.all(clients)
  assert.deepEqual(failures, [])
  assert.ok(sent >= most)
  const counted = await ask('/v1/graphql', { query: '{ item_aggregate { aggregate { count } } }' })
  assert.equal(
    counted,
    `200 {"data":{"item_aggregate":{"aggregate":{"count":${written}}}}}`,
    'each write was made once',
  )
  t.diagnostic(`${sent} requests, ${written} writes`)
})
