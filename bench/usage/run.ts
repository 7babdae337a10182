/**
 * `npm run bench -- usage`: what counting an execution costs, compared with what planning an operation costs. No
 * database.
 */
import {
  parseDocument,
  planOperation,
  roleSchema,
  defaultGraphqlSettings as settings,
} from '../../engine/src/graphql/index.ts'
import { storeModel } from '../../engine/src/graphql/store.fixture.ts'
import type { UsageLog } from '../../engine/src/metadata/index.ts'
import { createObserver } from '../../engine/src/observe/index.ts'
import { UsageCounter } from '../../engine/src/usage/index.ts'

const calls = 10_000_000
const plans = 5_000
const covers = 500_000
const rounds = 7

const log: UsageLog = {
  register: async (keys) => keys.map((_, i) => String(i)),
  addParts: async () => {},
  add: async (counts) => new Set(counts.map(({ operation }) => operation)),
  prune: async () => {},
  since: async () => null,
  operations: async () => [],
  roleParts: async () => [],
  users: async () => new Map(),
}

const counter = new UsageCounter({ log, observer: createObserver(), operations: 2_000 })
const schema = roleSchema(storeModel(), 'admin')
const query = 'query Albums($id: Int!) { artist(where: {id: {_eq: $id}}, limit: 10) { id name albums { id title } } }'
const variables = { id: 1 }

const planOf = (text: string, given: Readonly<Record<string, unknown>>) =>
  planOperation({ document: parseDocument(text, settings), operationName: null, variables: given }, schema, settings)
const plan = () => planOf(query, variables)

const insert = 'mutation ($rows: [artist_insert_input!]!) { insert_artist(objects: $rows) { affected_rows } }'
const row = {
  id: 1,
  name: 'Ada',
  email: null,
  born: '1900-01-01',
  fans: 7,
  albums: { data: [{ id: 1, title: 'One' }] },
}
const inserted = planOf(insert, { rows: [row] }).asked
const short = { rows: [row] }
// parsed, as a request's: the same keys with each row
const long: Readonly<Record<string, unknown>> = JSON.parse(
  JSON.stringify({ rows: Array.from({ length: 100 }, () => row) }),
)
const longInserted = planOf(insert, long).asked
// what is too long is known by now
longInserted.covers(long)

function nanosecondsOfCovers(asked: typeof inserted, given: Readonly<Record<string, unknown>>): number {
  const before = process.cpuUsage()
  for (let i = 0; i < covers; i++) if (!asked.covers(given)) throw new Error('a value was not known')
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1e3) / covers
}

const tallyOf = (text: string, { asked }: Pick<ReturnType<typeof plan>, 'asked'>) =>
  counter.tallyOf({ request: { query: text }, role: 'admin', operationName: 'Albums', type: 'query', asked })

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0

const tallies = Array.from({ length: 64 }, (_, i) => tallyOf(query.replace('Albums', `Albums${i}`), plan()))

function nanosecondsOfCount(): number {
  const started = performance.now()
  for (let i = 0; i < calls; i++) tallies[i & 63]?.add()
  return ((performance.now() - started) * 1e6) / calls
}

function microsecondsOf(each: (i: number) => unknown): number {
  const started = performance.now()
  for (let i = 0; i < plans; i++) each(i)
  return ((performance.now() - started) * 1e3) / plans
}

const planned = plan()
const counted: number[] = []
const found: number[] = []
const made: number[] = []
const compared: number[] = []
const longest: number[] = []
for (let round = 0; round < rounds; round++) {
  counted.push(nanosecondsOfCount())
  found.push(microsecondsOf((i) => tallyOf(query.replace('10)', `${i})`), planned)))
  made.push(microsecondsOf(plan))
  compared.push(nanosecondsOfCovers(inserted, short))
  longest.push(nanosecondsOfCovers(longInserted, long))
  await counter.flush()
}
console.table([
  { what: 'an execution counted', median: `${median(counted).toFixed(1)} ns` },
  {
    what: 'a nested insert of two rows compared with those before it, CPU',
    median: `${median(compared).toFixed(1)} ns`,
  },
  {
    what: 'the same of 100 such rows, of which the beginning is read, CPU',
    median: `${median(longest).toFixed(1)} ns`,
  },
  { what: 'the tally of a new plan found: hash, parts', median: `${median(found).toFixed(1)} µs` },
  { what: 'an operation parsed and planned, for comparison', median: `${median(made).toFixed(1)} µs` },
])
await counter.close()
