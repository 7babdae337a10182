/** Random requests: single operations in all their forms, bulks of them, and broken ones. */
import type { Random } from '../../admin/random.ts'
import { damage } from '../../metadata/damage.ts'
import { type Document, type Item, items } from '../plain-document.ts'
import { inSources } from '../rules/rules.ts'
import { Choices, type Generator, type Operation } from './choose.ts'
import { permissionGenerators } from './permissions.ts'
import { queryGenerators } from './queries.ts'
import { serverGenerators } from './server.ts'
import { sourceGenerators } from './sources.ts'
import { tableGenerators } from './tables.ts'
import { triggerGenerators } from './triggers.ts'

export type { Operation } from './choose.ts'

/** A few documents of before: to be put back. */
export type Past = readonly Document[]

const whole = (past: Past): readonly Generator[] => [
  [
    3,
    (choose) => {
      const metadata = past.length > 0 && choose.chance(0.7) ? choose.pick(past) : half(choose)
      if (choose.chance(0.3)) return { type: 'replace_metadata', args: metadata }
      const allow_inconsistent_metadata = choose.chance(0.5)
      return { type: 'replace_metadata', version: 2, args: { allow_inconsistent_metadata, metadata } }
    },
  ],
  [0.4, () => ({ type: 'clear_metadata', args: {} })],
  [1, () => ({ type: 'drop_inconsistent_metadata', args: {} })],
  [
    1,
    (choose) => ({
      type: 'reload_metadata',
      args: choose.pick<Item>([
        {},
        { reload_sources: ['default'] },
        { reload_remote_schemas: false },
        { recreate_event_triggers: true },
      ]),
    }),
  ],
]

/** The document without some of what it has: whole, or broken by that. */
function half(choose: Choices): Document {
  const document = structuredClone(choose.document)
  const thin = (list: unknown) => (Array.isArray(list) ? list.filter(() => choose.chance(0.85)) : list)
  for (const source of items(document, 'sources')) {
    for (const key of ['functions', 'logical_models', 'native_queries'])
      if (source[key] !== undefined) source[key] = thin(source[key])
    source.tables = thin(source.tables)
    for (const table of items(source, 'tables'))
      for (const [key, list] of Object.entries(table)) if (Array.isArray(list)) table[key] = thin(list)
  }
  for (const key of ['actions', 'query_collections', 'inherited_roles', 'remote_schemas'])
    if (document[key] !== undefined) document[key] = thin(document[key])
  return document
}

const all: readonly Generator[] = [
  ...tableGenerators,
  ...permissionGenerators,
  ...sourceGenerators,
  ...triggerGenerators,
  ...queryGenerators,
  ...serverGenerators,
]

export function randomOperation(random: Random, document: Document, past: Past): Operation {
  const generators = [...all, ...whole(past)]
  const total = generators.reduce((sum, [weight]) => sum + weight, 0)
  let left = random.next() * total
  const found = generators.find(([weight]) => {
    left -= weight
    return left < 0
  })
  return (found?.[1] ?? (() => ({ type: 'clear_metadata', args: {} })))(new Choices(random, document))
}

/** How an operation is sent: under one of its names, to one of the endpoints. */
export interface Sent {
  readonly endpoint: '/v1/metadata' | '/v1/query'
  readonly name: string
  /** The prefix of a kind that the source is not of. */
  readonly isOtherKind: boolean
}

const twoForms = new Set(['track_table', 'track_function', 'replace_metadata'])

export function spellOperation(random: Random, { type }: Operation): Sent {
  const isPrefixed = Object.hasOwn(inSources, type)
  if (!isPrefixed) return { endpoint: '/v1/metadata', name: type, isOtherKind: false }
  if (random.chance(0.02))
    return { endpoint: '/v1/metadata', name: `${random.pick(['citus', 'cockroach'])}_${type}`, isOtherKind: true }
  if (!/_source$/.test(type) && !twoForms.has(type) && random.chance(0.05))
    return { endpoint: '/v1/query', name: type, isOtherKind: false }
  return {
    endpoint: '/v1/metadata',
    name: random.pick([`pg_${type}`, `pg_${type}`, `postgres_${type}`, type]),
    isOtherKind: false,
  }
}

/** An operation with one value in it that no client should send. */
export const broken = (random: Random, { type, args, version }: Operation): Operation => ({
  type,
  args: damage(args as never, random.below(2 ** 31)),
  ...(version !== undefined && { version }),
})
