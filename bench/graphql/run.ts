/**
 * `npm run bench -- graphql [PART…] [--rounds=9] [--ms=1500]`: GraphQL reads and writes of one engine process as a
 * restricted role, compared with a bare server with hand-written SQL and PostGraphile 5, taking turns. Parts: see
 * `parts`; without any: all.
 */
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { measureBeside } from './beside.ts'
import { measureBlocked } from './blocked.ts'
import { measureFirst } from './first.ts'
import { countFunctions } from './functions.ts'
import { measureIntrospection } from './introspection.ts'
import { measureLatency } from './latency.ts'
import { measureLong } from './long.ts'
import { measureLongSockets } from './long-sockets.ts'
import { measureManyPlans } from './many-plans.ts'
import { measureMutations } from './measure-mutations.ts'
import { measureQueries } from './measure-queries.ts'
import { measureMisses } from './misses.ts'
import {
  following,
  mutations,
  nestedInsert,
  nestedLooking,
  single,
  singleAlone,
  thousandFields,
  thousandObjects,
  update,
  updateAlone,
} from './mutations.ts'
import { aggregate, byKey, list, nested, queries, sleeping } from './queries.ts'
import { measureRoles } from './roles.ts'
import { counted, httpLogs, measureSettings, usages } from './settings.ts'
import { measureTokens } from './tokens.ts'
import { measureWorkers } from './workers.ts'

export interface Effort {
  readonly rounds: number
  /** Of one measurement. */
  readonly milliseconds: number
}

const parts: Readonly<Record<string, (effort: Effort) => Promise<void>>> = {
  queries: (effort) => measureQueries(queries, [1, 10, 50], effort),
  key: (effort) => measureQueries([byKey], [1, 10, 50], effort),
  list: (effort) => measureQueries([list], [1, 10, 50], effort),
  nested: (effort) => measureQueries([nested], [1, 10, 50], effort),
  aggregate: (effort) => measureQueries([aggregate], [1, 10, 50], effort),
  sleep: (effort) => measureQueries([sleeping], [10, 50], effort),
  mutations: (effort) => measureMutations(mutations, effort),
  insert: (effort) => measureMutations([single], effort),
  alone: (effort) => measureMutations([singleAlone, updateAlone, following], effort),
  following: (effort) => measureMutations([following], effort),
  update: (effort) => measureMutations([update], effort),
  'nested-insert': (effort) => measureMutations([nestedInsert, nestedLooking], effort),
  thousand: (effort) => measureMutations([thousandObjects, thousandFields], effort),
  latency: measureLatency,
  beside: measureBeside,
  blocked: measureBlocked,
  long: measureLong,
  'long-sockets': measureLongSockets,
  plans: measureManyPlans,
  misses: measureMisses,
  roles: measureRoles,
  'http-log': (effort) => measureSettings(httpLogs, [byKey], effort),
  usage: (effort) => measureSettings(usages, counted, effort),
  first: measureFirst,
  introspection: measureIntrospection,
  workers: measureWorkers,
  tokens: measureTokens,
  functions: countFunctions,
}
const all = [
  'queries',
  'mutations',
  'sleep',
  'latency',
  'beside',
  'blocked',
  'long',
  'long-sockets',
  'plans',
  'misses',
  'roles',
  'first',
  'introspection',
  'workers',
  'tokens',
]

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { rounds: { type: 'string', default: '9' }, ms: { type: 'string', default: '1500' } },
  allowPositionals: true,
})
const effort = { rounds: Number(values.rounds), milliseconds: Number(values.ms) }
for (const name of positionals.length > 0 ? positionals : all) {
  const part = parts[name]
  if (!part) throw new Error(`no part is called ${name}: ${Object.keys(parts).join(', ')}`)
  const load = loadavg()[0]?.toFixed(1)
  console.log(
    `\n${name}: ${effort.rounds} rounds of ${effort.milliseconds} ms, load before ${load} on ${availableParallelism()} cores`,
  )
  await part(effort)
}
process.exit(0)
