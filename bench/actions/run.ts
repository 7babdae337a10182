/**
 * What an action adds to the time of its handler, and what a template costs once parsed (docs/performance.md).
 * `npm run bench -- actions`
 */
import { createHttpClient } from '../../engine/src/http-client/index.ts'
import { evaluateTemplate, parseTemplate, type TemplateValue } from '../../engine/src/templates/index.ts'
import { startEngine } from '../../test/engine.ts'
import { createTestDatabase } from '../../test/postgres.ts'
import { startHandlers } from '../../test/serving/action-handlers.ts'

const percentile = (times: readonly number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN

const shown = (times: readonly number[]): string =>
  `p50 ${percentile(times, 0.5).toFixed(2)} ms, p95 ${percentile(times, 0.95).toFixed(2)} ms`

async function timed(count: number, act: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < count + 200; round++) {
    const started = performance.now()
    await act()
    if (round >= 200) times.push(performance.now() - started)
  }
  return times
}

async function benchAction(): Promise<void> {
  const handlers = await startHandlers()
  handlers.on('/make', () => ({ json: { id: 1, name: 'a' } }))
  const database = await createTestDatabase()
  // it logs with level debug, which costs a little
  const engine = await startEngine({ databaseUrl: database.url })
  await engine.metadata('set_custom_types', {
    objects: [
      {
        name: 'Made',
        fields: [
          { name: 'id', type: 'Int!' },
          { name: 'name', type: 'String' },
        ],
      },
    ],
  })
  const definition = {
    handler: `${handlers.url}/make`,
    arguments: [{ name: 'name', type: 'String!' }],
    output_type: 'Made',
    forward_client_headers: true,
  }
  await engine.metadata('create_action', { name: 'make', definition })
  const query = { query: 'mutation ($n: String!) { make(name: $n) { id name } }', variables: { n: 'a' } }
  const body = JSON.stringify({
    action: { name: 'make' },
    input: { name: 'a' },
    session_variables: {},
    request_query: query.query,
  })
  const client = createHttpClient({
    allowPrivateAddresses: true,
    maxResponseBytes: 1e6,
    tlsAllowlist: () => [],
    report: () => {},
  })
  const request = {
    method: 'POST',
    url: `${handlers.url}/make`,
    shownUrl: '',
    purpose: 'bench',
    headers: [],
    body,
    timeout: null,
  }
  const handler = await timed(1000, () => client.send(request))
  const nothing = await timed(1000, () => engine.post('/v1/graphql', { query: '{ __typename }' }))
  const action = await timed(1000, () => engine.post('/v1/graphql', query))
  const added = percentile(action, 0.5) - percentile(handler, 0.5)
  console.log(`handler alone (same client)      ${shown(handler)}`)
  console.log(`engine alone ({ __typename })    ${shown(nothing)}`)
  console.log(`action                           ${shown(action)}: adds ${added.toFixed(2)} ms at p50`)
  client.close()
  await engine.stop()
  await handlers.close()
  await database.drop()
}

/** About 2 kB: fields, texts with values in them, a range, conditions and functions. */
function benchTemplate(): void {
  const line = (i: number) =>
    `"field${i}": {"id": {{$body.items[${i % 3}].id}}, "text": "item {{$body.items[${i % 3}].name}} of {{$body.count}}", "big": {{ $body.count > ${i} }}, "up": {{toUpper($body.items[${i % 3}].name)}}}`
  const template = `{ ${Array.from({ length: 13 }, (_, i) => line(i)).join(', ')}, "all": {{ range i, x := $body.items }} {"n": i, "name": {{ x.name }}} {{ end }}, "who": {{ if $body.count > 2 }} "many" {{ else }} "few" {{ end }} }`
  const parsed = parseTemplate(template)
  if (parsed.kind === 'error') throw new Error(JSON.stringify(parsed.error))
  const body: TemplateValue = { count: 3, items: [1, 2, 3].map((id) => ({ id, name: `name ${id}` })) }
  const bindings = { variables: new Map([['$body', body]]), functions: new Map() }
  for (let round = 0; round < 20_000; round++) evaluateTemplate(parsed.template, bindings)
  // CPU, since the machine has other work; the median of short rounds
  const rounds = Array.from({ length: 50 }, () => {
    const before = process.cpuUsage()
    for (let round = 0; round < 1000; round++) evaluateTemplate(parsed.template, bindings)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  console.log(`template of ${template.length} characters, parsed  ${percentile(rounds, 0.5).toFixed(1)} µs of CPU`)
}

benchTemplate()
await benchAction()
