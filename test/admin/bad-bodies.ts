/**
 * Request bodies that are wrong by construction: malformed, of wrong types, unknown, deep, huge, or SQL in every string.
 * No endpoint may accept one of them, end in an error of its own, or take long over it.
 */
import type { Random } from './random.ts'

export const endpoints = ['/v1/metadata', '/v1/query', '/v2/query', '/v1/graphql', '/v1/graphql/explain'] as const
export type Endpoint = (typeof endpoints)[number]

interface Template {
  readonly type: string
  readonly args: Readonly<Record<string, unknown>>
  /** Without one of these keys, or with another type in it, the whole is wrong. */
  readonly required: readonly string[]
}

const table = { schema: 'public', name: 'artist' }
const using = { foreign_key_constraint_on: 'artist_id' }
const permission = { columns: ['id'], filter: { id: { _eq: 'X-Svc-User-Id' } } }
const connection = { connection_info: { database_url: 'postgres://nobody@127.0.0.1:1/nothing' } }

const inTables: readonly Template[] = [
  { type: 'track_table', args: { table }, required: ['table'] },
  { type: 'untrack_table', args: { table: 'nowhere' }, required: ['table'] },
  { type: 'set_table_customization', args: { table: 'nowhere', configuration: {} }, required: ['table'] },
  { type: 'create_object_relationship', args: { table, name: 'r', using }, required: ['table', 'name', 'using'] },
  {
    type: 'create_array_relationship',
    args: { table, name: 'r', using: { foreign_key_constraint_on: { table, column: 'id' } } },
    required: ['table', 'name', 'using'],
  },
  { type: 'drop_relationship', args: { table, relationship: 'r' }, required: ['table', 'relationship'] },
  { type: 'rename_relationship', args: { table, name: 'r', new_name: 's' }, required: ['table', 'name', 'new_name'] },
  {
    type: 'create_select_permission',
    args: { table, role: 'u', permission },
    required: ['table', 'role', 'permission'],
  },
  { type: 'drop_select_permission', args: { table, role: 'u' }, required: ['table', 'role'] },
  { type: 'set_permission_comment', args: { table, role: 'u', type: 'select' }, required: ['table', 'role', 'type'] },
  {
    type: 'create_insert_permission',
    args: { table, role: 'u', permission: { check: permission.filter } },
    required: ['table', 'role', 'permission'],
  },
  { type: 'drop_update_permission', args: { table, role: 'u' }, required: ['table', 'role'] },
  {
    type: 'add_computed_field',
    args: { table, name: 'f', definition: { function: 'nowhere' } },
    required: ['table', 'name', 'definition'],
  },
  { type: 'drop_computed_field', args: { table, name: 'f' }, required: ['table', 'name'] },
]

const inSources: readonly Template[] = [
  { type: 'pg_add_source', args: { name: 's', configuration: connection }, required: ['name', 'configuration'] },
  { type: 'pg_track_function', args: { function: 'nowhere' }, required: ['function'] },
  {
    type: 'pg_create_function_permission',
    args: { function: 'nowhere', role: 'u' },
    required: ['function', 'role'],
  },
  { type: 'pg_update_source', args: { name: 's' }, required: ['name'] },
  { type: 'pg_drop_source', args: { name: 's' }, required: ['name'] },
  { type: 'pg_track_tables', args: { tables: ['nowhere'] }, required: ['tables'] },
  { type: 'get_metadata_changes', args: { since_resource_version: 1 }, required: ['since_resource_version'] },
]

const rows: readonly Template[] = [
  { type: 'run_sql', args: { sql: "SELECT '" }, required: ['sql'] },
  { type: 'insert', args: { table: 'nowhere', objects: [{ id: 1 }] }, required: ['table', 'objects'] },
]

const templates: Readonly<Record<'/v1/metadata' | '/v1/query' | '/v2/query', readonly Template[]>> = {
  '/v1/metadata': [...inTables.map((one) => ({ ...one, type: `pg_${one.type}` })), ...inSources],
  // args of its track_table may be the table itself
  '/v1/query': [...inTables.filter(({ type }) => type !== 'track_table'), ...rows],
  '/v2/query': rows,
}

const sqlTexts = [
  `'; DROP TABLE artist; --`,
  `" OR 1=1; --`,
  `x'); DELETE FROM svc_catalog.metadata_object; --`,
  `$$; SELECT pg_sleep(30); $$`,
  `\\'; COPY artist TO PROGRAM 'id'; --`,
  `artist" UNION SELECT usename FROM pg_shadow --`,
  `{{SVC_NOWHERE}}`,
  `%s%n%x\u0000\ud800`,
]

const wrongValues: readonly unknown[] = [7, -1.5, true, [], [[]], {}, { nothing: null }, null, '', { name: 7 }, [null]]

export function badBody(random: Random, endpoint: Endpoint): Buffer {
  switch (endpoint) {
    case '/v1/metadata':
    case '/v1/query':
    case '/v2/query':
      return badOperation(random, templates[endpoint])
    case '/v1/graphql':
      return badGraphql(random, (body) => body)
    case '/v1/graphql/explain':
      return badGraphql(random, (query) => ({ query }))
  }
}

function badOperation(random: Random, list: readonly Template[]): Buffer {
  const kind = random.below(100)
  if (kind < 15) return malformed(random, JSON.stringify(random.pick(list)))
  if (kind < 20) return json(random.pick(wrongValues))
  if (kind < 45) return json(inBulk(random, wrongType(random, random.pick(list))))
  if (kind < 55)
    return json(inBulk(random, { type: random.pick([...sqlTexts, 'pg_nothing', '__proto__', 'toString']), args: {} }))
  if (kind < 65) return json({ ...operation(random.pick(list)), ...wrongEnvelope(random) })
  if (kind < 85) return json(inBulk(random, withSql(random, random.pick(list.filter(holdsText)))))
  if (kind < 95) return deep(random, random.pick(list))
  return huge(random, random.pick(list))
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const operation = ({ type, args }: Template) => ({ type, args })

function malformed(random: Random, whole: string): Buffer {
  const cut = whole.slice(0, 1 + random.below(whole.length - 2))
  return random.pick([
    Buffer.from(cut),
    Buffer.from(`${whole}}`),
    Buffer.from(whole.replace(':', '=')),
    Buffer.from(`${cut}NaN`),
    Buffer.from(''),
    Buffer.from('\u0000'),
    Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"')]),
    Buffer.from(`\ufeff${cut}`),
  ])
}

function wrongType(random: Random, template: Template): object {
  const key = random.pick(template.required)
  const { [key]: given, ...rest } = template.args
  if (random.chance(0.3)) return { type: template.type, args: rest }
  const fitting = (value: unknown) => typeof value === typeof given && Array.isArray(value) === Array.isArray(given)
  const wrong = wrongValues.filter((value) => value === null || !fitting(value))
  // a text is as good a table as an object
  const never = wrong.filter((value) => !(key === 'table' && typeof value === 'string' && value !== ''))
  return { type: template.type, args: { ...rest, [key]: random.pick(never) } }
}

const wrongEnvelope = (random: Random) =>
  random.pick([
    { type: 7 },
    { type: null },
    { type: undefined },
    { args: undefined },
    { args: 'text' },
    { version: 3 },
    { version: '1' },
    { version: -1 },
    { version: 1e300 },
  ])

/** A bulk is as wrong as its member. */
function inBulk(random: Random, member: unknown): unknown {
  return random.chance(0.2) ? { type: 'bulk', args: [inBulk(random, member)] } : member
}

const holdsText = ({ args }: Template) => JSON.stringify(Object.values(args)).includes('"')

function withSql(random: Random, { type, args }: Template): object {
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return random.pick(sqlTexts)
    if (Array.isArray(value)) return value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part)]))
  }
  // nothing is called like this in any source
  return { type, args: { ...(replace(args) as object), source: random.pick(sqlTexts) } }
}

function deep(random: Random, { type, args, required }: Template): Buffer {
  const levels = random.pick([501, 1000, 10_000, 50_000])
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"_and":[', ']}'],
    ['{"a":', '}'],
  ] as const)
  const value = `${open.repeat(levels)}1${close.repeat(levels)}`
  if (random.chance(0.3)) {
    const bulks = `${'{"type":"bulk","args":['.repeat(levels)}${']}'.repeat(levels)}`
    return Buffer.from(bulks)
  }
  const text = JSON.stringify({ type, args: { ...args, [random.pick(required)]: '@' } })
  return Buffer.from(text.replace('"@"', value))
}

function huge(random: Random, { type, args, required }: Template): Buffer {
  const length = random.pick([10_000, 100_000, 1_000_000])
  const key = random.pick(required)
  const value = random.pick<unknown>([
    { name: 7, rest: 'x'.repeat(length) },
    Array.from({ length: length / 10 }, () => 7),
    Object.fromEntries(Array.from({ length: length / 100 }, (_, i) => [`k${i}`, i])),
  ])
  if (random.chance(0.3)) return json({ type: 'x'.repeat(length), args })
  if (random.chance(0.3)) return json({ type: 'bulk', args: Array.from({ length: length / 100 }, () => ({ type: 7 })) })
  return json({ type, args: { ...args, [key]: value, source: 'nowhere' } })
}

const badQueries = [
  '',
  '{',
  '}',
  '{ artist { } }',
  '{ nowhere_at_all { id } }',
  'query ($a: Nothing!) { nowhere_at_all(a: $a) }',
  '{ ...f } fragment f on query_root { ...f }',
  'fragment f on nothing { id }',
  'query a { __typename } query a { __typename }',
  '{ __typename @nothing }',
  '{ __typename @include }',
  '{ __schema { nothing } }',
  '{ __type(name: 7) { name } }',
  '{ nowhere_at_all(where: {a: {_eq: """',
  'mutation { insert_nowhere(objects: []) { affected_rows } }',
  'subscription { nowhere_at_all { id } }',
  '\u0000',
  '{ \ud800 }',
  '🤷',
]

function badGraphql(random: Random, wrap: (body: unknown) => unknown): Buffer {
  const kind = random.below(100)
  const query = random.pick(badQueries)
  if (kind < 20) return malformed(random, JSON.stringify(wrap({ query: '{ __typename }', variables: {} })))
  if (kind < 30)
    return json(
      wrap({ query: random.pick(wrongValues.filter((value) => typeof value !== 'object' || value === null)) }),
    )
  if (kind < 40) return json(wrap({ query, variables: random.pick([7, 'text', true]) }))
  if (kind < 50) return json(wrap({ variables: {}, operationName: random.pick(sqlTexts) }))
  if (kind < 75) return json(wrap({ query: withSqlText(random, query) }))
  if (kind < 90) {
    const levels = random.pick([1000, 10_000, 100_000])
    const [open, close] = random.pick([
      ['{a', '}'],
      ['{a(b:[', '])}'],
      ['{...on x', '}'],
    ] as const)
    return json(wrap({ query: `${open.repeat(levels)}${close.repeat(levels)}` }))
  }
  return json(wrap({ query: `{ ${'nowhere_at_all '.repeat(random.pick([1000, 50_000]))} }` }))
}

const withSqlText = (random: Random, query: string) =>
  random.chance(0.5)
    ? `${query} ${random.pick(sqlTexts)}`
    : `{ nowhere_at_all(a: ${JSON.stringify(random.pick(sqlTexts))}) }`
