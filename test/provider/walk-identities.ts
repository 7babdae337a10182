/**
 * For every attribute that gives an object another identity the whole stack with that changed, made of the declarations
 * and their samples.
 */
import { equalJson } from '@svc/schema'
import type { Values } from '../../provider/src/core/index.ts'
import { isValues, kindNamed, type Value } from '../../provider/src/resources/index.ts'
import { isPlace, type NamedObject, namesIn, namesSource, type WalkedResource } from './walk-names.ts'
import { named, type Outside } from './walk-prerequisites.ts'
import { walkedSamples } from './walk-stack.ts'

export interface Step {
  readonly name: string
  readonly stack: readonly WalkedResource[]
}

/** Where the sample's other identity is taken in this stack. */
const elsewhere: Readonly<Record<string, Values>> = {
  'Table.table': { table: named('song', 'shop') },
  'Function.function': { function: named('find_albums', 'shop') },
  'SelectPermission.table': { table: named('track'), columns: ['id'], filter: '{}' },
  'FunctionPermission.source': { source: 'twin', function: named('search_albums', 'shop') },
}

/**
 * For each kind, each attribute of its identity: the stack in which that of its sample has changed. What names an object
 * of its own source cannot name it in another one, and goes.
 */
export function steps(outside: Outside, stack: readonly WalkedResource[]): readonly Step[] {
  return walkedSamples(outside).flatMap(({ kind, changes }) => {
    const declared = kindNamed(kind)
    const before = stack.find(({ name }) => name === `own_${kind}`)
    if (!declared || !before) return []
    return Object.entries(changes).flatMap(([attribute, change]) => {
      if (!declared.attributes[attribute]?.replace) return []
      const config = { ...before.config, ...(elsewhere[`${kind}.${attribute}`] ?? change) }
      const goes = (one: WalkedResource) =>
        attribute === 'source' &&
        namesIn(one).some(({ head, leadsTo }) => !isPlace(head) && !namesSource(head) && leadsTo(before))
      const changed = stack.filter((one) => !goes(one)).map((one) => (one === before ? { ...one, config } : one))
      return [{ name: `${kind}.${attribute}`, stack: follow(changed, before, config) }]
    })
  })
}

/** What names the object by an output has the new name. */
const follow = (stack: readonly WalkedResource[], old: WalkedResource, now: Values): readonly WalkedResource[] =>
  stack.map((one) =>
    one.name === old.name
      ? one
      : namesIn(one)
          .filter(({ leadsTo }) => leadsTo(old))
          .reduce((changed: WalkedResource, name) => followName(changed, name, old.config, now), one),
  )

function followName(one: WalkedResource, { head, output }: NamedObject, old: Values, now: Values): WalkedResource {
  const { config } = one
  const name: Value = namesSource(head)
    ? replacedElsewhere(config[head] ?? null, output, old, now)
    : replaced(config[head] ?? null, old[output] ?? null, now[output] ?? null)
  const own: Values = { ...config, ...Object.fromEntries<Value>([[head, name]]) }
  const moves = isPlace(head) && config.source !== undefined && now.source !== undefined
  const place: Values = moves ? { source: now.source ?? null } : {}
  return { ...one, config: { ...own, ...place } }
}

/** A table and its source, which may be another one now. */
function replacedElsewhere(value: Value, output: string, old: Values, now: Values): Value {
  if (Array.isArray(value)) return value.map((one: Value) => replacedElsewhere(one, output, old, now))
  if (!isValues(value) || output !== 'table') return replaced(value, old[output] ?? null, now[output] ?? null)
  const key = value.table === undefined ? 'remote_table' : 'table'
  const isMeant = equalJson(value[key], old.table) && value.source === old.source
  return isMeant ? { ...value, source: now.source ?? null, [key]: now.table ?? null } : value
}

function replaced(value: Value, before: Value, after: Value): Value {
  if (equalJson(value, before)) return after
  if (isTypeOf(value, before)) return String(value).replace(String(before), String(after))
  if (Array.isArray(value)) return value.map((one: Value) => replaced(one, before, after))
  if (!isValues(value)) return value
  return Object.fromEntries<Value>(Object.entries(value).map(([key, one]) => [key, replaced(one, before, after)]))
}

/** `[Item!]!` names Item. */
const isTypeOf = (value: Value, name: Value): boolean =>
  typeof value === 'string' && typeof name === 'string' && new RegExp(`^\\[+${name}[!\\]]+$`).test(value)

/** A resource in which what names others is what `output` makes of them, without what is not given. */
export function wired(
  stack: readonly WalkedResource[],
  one: WalkedResource,
  output: (of: WalkedResource, attribute: string) => string,
): Values {
  const config: Record<string, Value> = { ...one.config }
  for (const { head, output: attribute, leadsTo } of namesIn(one)) {
    const other = stack.find((candidate) => candidate.name !== one.name && leadsTo(candidate))
    if (other) config[head] = replaced(config[head] ?? null, other.config[attribute] ?? null, output(other, attribute))
  }
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))
}
