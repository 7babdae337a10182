/** `npm run bench -- usage`: what counting an execution costs, and what an operation that is planned costs beside it. No database. */
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

const plan = () =>
  planOperation({ document: parseDocument(query, settings), operationName: null, variables }, schema, settings)

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
for (let round = 0; round < rounds; round++) {
  counted.push(nanosecondsOfCount())
  found.push(microsecondsOf((i) => tallyOf(query.replace('10)', `${i})`), planned)))
  made.push(microsecondsOf(plan))
  await counter.flush()
}
console.table([
  { what: 'an execution counted', median: `${median(counted).toFixed(1)} ns` },
  { what: 'the tally of a new plan found: hash, parts', median: `${median(found).toFixed(1)} µs` },
  { what: 'an operation parsed and planned, for comparison', median: `${median(made).toFixed(1)} µs` },
])
await counter.close()
