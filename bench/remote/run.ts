/**
 * 1,000 rows joined to a field of another server, by the engine and by @graphql-tools/stitch over the same two servers
 * (docs/performance.md). `npm run bench -- remote`
 */
import { runOnDatabase } from '../../test/admin/run-on-database.ts'
import { createTestDatabase } from '../../test/postgres.ts'
import { adminSecret, type Contestant, cpuOf, startBenchEngine, startStitch } from '../graphql/contestants.ts'
import { catalogueSdl, productOf, type Remote, rows, shopSdl, startCatalogue, startShop } from './remotes.ts'

const rounds = Number(process.env.ROUNDS ?? 5)
const perRound = Number(process.env.REQUESTS ?? 60)

async function ask(port: number, path: string, body: unknown): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    'x-svc-admin-secret': adminSecret,
    'accept-encoding': 'identity',
  }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200 || text.includes('"errors"')) throw new Error(text.slice(0, 1000))
  return text
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

interface Case {
  readonly name: string
  readonly of: Pick<Contestant, 'port' | 'pid'>
  readonly path: string
  readonly query: string
}

/** Milliseconds of CPU of the process for each request. */
async function measure({ of, path, query }: Case, count: number): Promise<number> {
  const before = cpuOf(of.pid)
  for (let i = 0; i < count; i++) await ask(of.port, path, { query })
  return (cpuOf(of.pid) - before) / count
}

async function main(): Promise<void> {
  const [shop, catalogue]: readonly Remote[] = await Promise.all([startShop(), startCatalogue()])
  if (!shop || !catalogue) throw new Error('no servers')
  const database = await createTestDatabase()
  await runOnDatabase(
    database.url,
    `CREATE TABLE stored_item (id int PRIMARY KEY, name text, product_id int);
     INSERT INTO stored_item SELECT i, 'item ' || i, i + ${productOf(0)} FROM generate_series(1, ${rows}) i`,
  )
  const metadataDatabase = await createTestDatabase()
  const engine = await startBenchEngine({ data: database.url, metadata: metadataDatabase.url }, null)
  const metadata = (type: string, args: unknown) => ask(engine.port, '/v1/metadata', { type, args })
  await metadata('pg_track_table', { table: 'stored_item' })
  for (const [name, remote] of [
    ['shop', shop],
    ['catalogue', catalogue],
  ] as const)
    await metadata('add_remote_schema', { name, definition: { url: remote.url } })
  const definition = {
    to_remote_schema: {
      remote_schema: 'catalogue',
      lhs_fields: ['product_id'],
      remote_field: { product: { arguments: { id: '$product_id' } } },
    },
  }
  await metadata('pg_create_remote_relationship', { table: 'stored_item', name: 'product', definition })
  await metadata('create_remote_schema_remote_relationship', { remote_schema: 'shop', type_name: 'Item', name: 'product', definition }) // biome-ignore format: one line
  const stitch = await startStitch({
    SHOP: shop.url,
    CATALOGUE: catalogue.url,
    SHOP_SDL: shopSdl,
    CATALOGUE_SDL: catalogueSdl,
  })
  const joined = '{ id name product { id title price maker } }'
  const graphql = '/v1/graphql'
  const cases: readonly Case[] = [
    {
      name: 'engine, table to remote',
      of: engine,
      path: graphql,
      query: `{ stored_item(order_by: {id: asc}) ${joined} }`,
    },
    { name: 'engine, remote to remote', of: engine, path: graphql, query: `{ items ${joined} }` },
    {
      name: 'engine, the table alone',
      of: engine,
      path: graphql,
      query: '{ stored_item(order_by: {id: asc}) { id name product_id } }',
    },
    { name: 'stitch, remote to remote', of: stitch, path: '/graphql', query: `{ items ${joined} }` },
  ]
  const normal = (text: string) => JSON.stringify(Object.values(JSON.parse(text).data))
  const answers = await Promise.all([cases[0], cases[1], cases[3]].map((one) => one && ask(one.of.port, one.path, { query: one.query }))) // biome-ignore format: one line
  if (new Set(answers.map((text) => normal(text ?? ''))).size !== 1) throw new Error('the answers differ')
  // code that runs for the first hundreds of times costs twice as much, for every contestant
  for (const one of cases) await measure(one, Number(process.env.WARM_UP ?? 300))
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]))
  const requests = new Map<string, number>()
  for (let round = 0; round < rounds; round++)
    for (const one of cases) {
      const before = catalogue.asked()
      times.get(one.name)?.push(await measure(one, perRound))
      requests.set(one.name, (catalogue.asked() - before) / perRound)
    }
  const of = (name: string) => median(times.get(name) ?? [])
  for (const { name } of cases)
    console.log(
      `${name.padEnd(28)} ${of(name).toFixed(2)} ms of CPU a request, ${requests.get(name)} to the joined server`,
    )
  const perRow = ((of('engine, table to remote') - of('engine, the table alone')) * 1000) / rows
  console.log(`a joined row costs ${perRow.toFixed(1)} µs; of stitch's: ${(of('engine, remote to remote') / of('stitch, remote to remote')).toFixed(2)} from a remote, ${(of('engine, table to remote') / of('stitch, remote to remote')).toFixed(2)} from a table`) // biome-ignore format: one line
  engine.stop()
  stitch.stop()
  shop.close()
  catalogue.close()
  await database.drop()
  await metadataDatabase.drop()
}

await main()
process.exit(0)
