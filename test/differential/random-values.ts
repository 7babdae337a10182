import type { Random } from '../admin/random.ts'
import type { Column, ColumnType, Condition, JsonMember, Operand, Operator, SessionVariable, Value } from './world.ts'

const words = ['ant', 'bee', 'bear', 'cat', 'cow', 'dog', 'eel', 'ewe', '', 'a "b" \\c', "it's", 'x-svc-user-id']
const uuids = ['0b', '3c', '9a', 'ff'].map((start) => `${start}000000-0000-4000-8000-000000000000`)
/** Values of types that the oracle knows by their text alone, in their order. */
export const opaque: Readonly<Partial<Record<ColumnType, readonly string[]>>> = {
  mood: ['sad', 'fine', 'glad'],
  interval: ['-00:00:01', '01:00:00', '1 day 02:00:00', '1 mon'],
  time: ['01:02:03', '13:00:00.5', '23:59:59'],
  bytea: ['\\x', '\\x00ff', '\\x27'],
  int4range: ['empty', '[1,3)', '[1,5)', '[2,)'],
  bpchar: ['a   ', 'ab  ', 'b   '],
}
export const hues = ['red', 'green', 'blue'] as const

const others: readonly (readonly [key: string, member: (random: Random) => JsonMember])[] = [
  ['l', (random) => Array.from({ length: random.below(4) }, () => random.below(3))],
  ['s', () => `it's "`],
  ['n', () => null],
]

/** Few different values, so that comparisons find something and rows tie. */
export function randomValue(random: Random, type: ColumnType): Exclude<Value, null> {
  switch (type) {
    case 'int2':
    case 'int4':
    case 'int8':
      return random.below(7) - 1
    case 'numeric':
    case 'float4':
      return (random.below(13) - 3) / 4
    case 'float8':
      return (random.below(4) - 1) / 4
    case 'text':
      return random.pick(words)
    case 'citext':
      return random.pick(['ant', 'Ant', 'BEE', 'bee', 'cat'])
    case 'ltree':
      return random.pick(['top', 'top.a', 'top.a.b', 'top.b', 'other', 'other.a'])
    case 'bool':
      return random.chance(0.5)
    case 'date':
      return `20${random.pick(['01', '10', '24'])}-0${1 + random.below(3)}-15`
    case 'timestamptz':
      return `2024-02-0${1 + random.below(3)}T0${random.below(2)}:00:00.123${random.below(3)}5+00:00`
    case 'mood':
    case 'interval':
    case 'time':
    case 'bytea':
    case 'int4range':
    case 'bpchar':
      return random.pick(opaque[type] ?? [])
    case 'uuid':
      return random.pick(uuids)
    case 'jsonb':
      return Object.fromEntries([
        ...['a', 'b', 'cc'].filter(() => random.chance(0.5)).map((key) => [key, random.below(3)] as const),
        ...others.filter(() => random.chance(0.2)).map(([key, member]) => [key, member(random)] as const),
      ])
    case 'int4[]':
      return Array.from({ length: random.below(4) }, () => random.below(4))
    case 'text[]':
      return Array.from({ length: random.below(3) }, () => random.pick(['bee', 'cat', 'eel', 'NULL', 'a,b', ' "']))
    case 'hue':
      return random.pick(hues)
  }
}

/** What a condition may compare: a column, or a computed field. */
export type Compared = Pick<Column, 'name' | 'type'>

/** In a permission session variables may stand for values, and operators have other spellings. */
export function randomComparison(random: Random, of: readonly Compared[], isPermission: boolean): Condition {
  const { name: column, type } = random.pick(of)
  if (random.chance(0.12)) return { kind: 'is-null', column, is: random.chance(0.5) }
  if (type === 'jsonb' && random.chance(0.25)) {
    const operand: Operand = { kind: 'constant', value: random.pick(['%"a"%', '{}', '%1%', '%2}']) }
    return { kind: 'compare', column, operator: random.pick(['like', 'nlike']), operand, cast: true }
  }
  const operator = randomOperator(random, type)
  const operand = randomOperand(random, type, operator, isPermission)
  const compare = { kind: 'compare', column, operator, operand } as const
  if (!isPermission || random.chance(0.7)) return compare
  const isPlain = operator === 'eq' && type !== 'jsonb'
  return { ...compare, spelling: isPlain && random.chance(0.6) ? 'short' : 'dollar' }
}

const patterns: readonly Operator[] = [
  'like',
  'nlike',
  'ilike',
  'nilike',
  'similar',
  'nsimilar',
  'regex',
  'nregex',
  'iregex',
  'niregex',
]

function randomOperator(random: Random, type: ColumnType): Operator {
  const equal: readonly Operator[] = ['eq', 'eq', 'neq', 'in', 'nin']
  const all: readonly Operator[] = [...equal, 'gt', 'lt', 'gte', 'lte']
  switch (type) {
    case 'jsonb':
      return random.pick(['contains', 'contained_in', 'has_key', 'has_keys_any', 'has_keys_all', 'eq', 'neq'])
    case 'int4[]':
    case 'text[]':
      return random.pick(['contains', 'contained_in', 'eq', 'neq', 'gt', 'lte'])
    case 'ltree':
      return random.pick([...all, 'ancestor', 'descendant', 'ancestor_any', 'descendant_any', 'matches'])
    case 'hue':
      return random.pick(equal)
    case 'text':
    case 'citext':
      return random.chance(0.4) ? random.pick(patterns) : random.pick(all)
    default:
      return random.pick(all)
  }
}

function randomOperand(random: Random, type: ColumnType, operator: Operator, session: boolean): Operand {
  const constant = (value: Value | readonly Value[]): Operand => ({ kind: 'constant', value })
  const some = (value: () => Value) => Array.from({ length: random.below(4) }, value)
  const isInteger = type === 'int2' || type === 'int4' || type === 'int8'
  const ofSession = session && random.chance(0.45)
  const isNumber = isInteger || type === 'numeric' || type === 'float4' || type === 'float8'
  const variable = (name: SessionVariable): Operand => {
    const spelled = random.chance(0.2) ? { spelled: random.pick([name.toUpperCase(), `X-${name.slice(2)}`]) } : {}
    return { kind: 'session', variable: name, ...spelled }
  }
  /** In a permission the name of a session variable stands for its value. */
  const value = (): Exclude<Value, null> => {
    const constantValue = randomValue(random, type)
    return session && constantValue === 'x-svc-user-id' ? 'bee' : constantValue
  }
  switch (operator) {
    case 'in':
    case 'nin':
      if (ofSession && isNumber) return variable('x-svc-ids')
      if (ofSession && (type === 'text' || type === 'citext')) return variable('x-svc-words')
      return constant(some(value))
    case 'ancestor_any':
    case 'descendant_any':
      return constant(some(value))
    case 'like':
    case 'nlike':
    case 'ilike':
    case 'nilike':
      if (ofSession) return variable('x-svc-pattern')
      return constant(random.pick(['%e%', 'B%', 'c__', '%', 'ew_', '%t']))
    case 'similar':
    case 'nsimilar':
      return constant(random.pick(['(a|b)%', 'c(at|ow)', '%e', '(b|B)ee']))
    case 'regex':
    case 'nregex':
    case 'iregex':
    case 'niregex':
      return constant(random.pick(['^b', '[tw]$', 'E', '^$', 'e+']))
    case 'matches':
      return constant(random.pick(['top.*', '*.a', 'top', '*.a.*']))
    case 'has_key':
      return constant(random.pick(['a', 'b', 'z']))
    case 'has_keys_any':
    case 'has_keys_all':
      if (ofSession) return variable('x-svc-words')
      return constant(some(() => random.pick(['a', 'b', 'cc', 'z'])))
    default:
      if (ofSession && isNumber) return variable('x-svc-user-id')
      if (ofSession && (type === 'text' || type === 'citext')) return variable('x-svc-word')
      if (ofSession && type === 'int4[]') return variable('x-svc-ids')
      if (ofSession && type === 'text[]') return variable('x-svc-words')
      if (ofSession && type === 'bool') return variable('x-svc-flag')
      if (ofSession && type === 'uuid') return variable('x-svc-uuid')
      if (ofSession && type === 'jsonb') return variable('x-svc-json')
      if (ofSession && type === 'ltree') return variable('x-svc-path')
      return constant(value())
  }
}
