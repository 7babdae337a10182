/** Random mutations to two databases of which one makes the engine write by more than one statement: all is equal. */
import pg from 'pg'
import { seededRandom } from '../admin/random.ts'
import type { Engine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { kinds, kindsSchema, unknownsSchema } from './write-kinds.ts'

type Random = ReturnType<typeof seededRandom>

interface Side {
  readonly name: 'known' | 'unknown'
  readonly client: pg.Client
}

export interface FormsFound {
  readonly what: string
  readonly query: string
}

export async function runWriteForms(
  engine: Engine,
  seed: number,
  count: number,
): Promise<{ readonly done: number; readonly refused: number; readonly found: FormsFound | null }> {
  const random = seededRandom(seed)
  const role = `svc_writer_${process.pid}_${seed}`
  const databases = [await createTestDatabase(), await createTestDatabase()] as const
  const sides: Side[] = []
  let refused = 0
  try {
    for (const [i, database] of databases.entries())
      sides.push(await install(engine, database, role, i === 0 ? 'known' : 'unknown'))
    let query = ''
    let headers = {}
    for (let done = 0; done < count; done++) {
      // each of them twice: once its tables are known it is sent without the session
      if (done % 2 === 0) {
        headers = { 'X-Svc-Role': random.pick(roles), 'X-Svc-User-Id': String(1 + random.below(3)) }
        query = randomMutation(random)
      }
      const answers = []
      for (const { name } of sides)
        answers.push((await engine.post('/v1/graphql', { query: query.replaceAll('$', `${name}_`) }, headers)).text)
      const [known, unknown] = answers.map((text) => byText(text.replaceAll(/(un)?known_/g, '')))
      const found = (what: string) => ({ done, refused, found: { what, query: `${JSON.stringify(headers)} ${query}` } })
      if (known !== unknown) return found(`one statement: ${known}\nmore: ${unknown}`)
      if (known?.startsWith('{"errors"')) refused++
      // whatever looks at the session writes this where it finds none
      if (known?.includes('nobody')) return found(known)
      if (known?.includes('validation-failed')) return found(known)
      const [rows, others] = await Promise.all(sides.map(({ client }) => allRows(client)))
      if (rows !== others) return found(`one statement: ${rows}\nmore: ${others}`)
    }
    return { done: count, refused, found: null }
  } finally {
    for (const { name, client } of sides) {
      await engine.metadata('pg_drop_source', { name, cascade: true })
      await client.end()
    }
    for (const database of databases) await database.drop()
  }
}

/** An update writes rows in the order in which they lie, which vacuuming changes. */
const byText = (text: string): string =>
  JSON.stringify(JSON.parse(text), (key, value) =>
    key === 'returning' ? value.map((row: unknown) => JSON.stringify(row)).sort() : value,
  )

const roles = ['free', 'bound', 'looking'] as const

async function install(engine: Engine, database: TestDatabase, role: string, name: Side['name']): Promise<Side> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const url = new URL(database.url)
  const database_ = url.pathname.slice(1)
  await client.query(`DO $$ BEGIN CREATE ROLE ${role} LOGIN PASSWORD 'w'; EXCEPTION WHEN duplicate_object THEN END $$;
    ALTER DATABASE ${database_} OWNER TO ${role}; GRANT ALL ON SCHEMA public TO ${role}; CREATE EXTENSION postgres_fdw;
    CREATE SERVER itself FOREIGN DATA WRAPPER postgres_fdw
      OPTIONS (host '${url.hostname}', port '${url.port}', dbname '${database_}');
    CREATE USER MAPPING FOR ${role} SERVER itself OPTIONS (user '${role}', password 'w', password_required 'false');
    GRANT USAGE ON FOREIGN SERVER itself TO ${role}; SET ROLE ${role}; ${kindsSchema}
    ${name === 'unknown' ? unknownsSchema : ''} RESET ROLE`)
  url.username = role
  url.password = 'w'
  const { status, text } = await engine.metadata('bulk', [
    {
      type: 'pg_add_source',
      args: {
        name,
        configuration: { connection_info: { database_url: url.href } },
        customization: { root_fields: { prefix: `${name}_` }, type_names: { prefix: `${name}_` } },
      },
    },
    ...metadataOf(name),
  ])
  if (status !== 200) throw new Error(text)
  return { name, client }
}

const related = ['parent', 'parent_view', 'hidden', 'country', 'child', 'toy', 'peer'] as const

function metadataOf(source: string): readonly object[] {
  const op = (type: string, args: object) => ({ type, args: { source, ...args } })
  const manual = (remote_table: string, from: string, to: string) => ({
    manual_configuration: { remote_table, column_mapping: { [from]: to } },
  })
  const object = (table: string, name: string, using: object) =>
    op('pg_create_object_relationship', { table, name, using })
  const array = (table: string, name: string, using: object) =>
    op('pg_create_array_relationship', { table, name, using })
  const checks = {
    free: {},
    bound: { n: { _lt: 8 } },
    looking: { _or: [{ parent_id: { _is_null: true } }, { parent: { country_id: { _is_null: false } } }] },
  }
  const written = [...kinds, 'child'] as const
  return [...new Set([...kinds, ...related])]
    .map((table) => op('pg_track_table', { table }))
    .concat(
      object('parent', 'country', { foreign_key_constraint_on: 'country_id' }),
      array('parent', 'plains', { foreign_key_constraint_on: { table: 'plain', column: 'parent_id' } }),
      object('child', 'plain', { foreign_key_constraint_on: 'plain_id' }),
      array('plain', 'children', { foreign_key_constraint_on: { table: 'child', column: 'plain_id' } }),
      array('child', 'toys', { foreign_key_constraint_on: { table: 'toy', column: 'child_id' } }),
      object('toy', 'parent', { foreign_key_constraint_on: 'owner_id' }),
      array('plain', 'peers', { foreign_key_constraint_on: { table: 'peer', column: 'plain_id' } }),
      array('peer', 'peers', { foreign_key_constraint_on: { table: 'peer', column: 'peer_id' } }),
      ...written.map((table) =>
        table === 'seen' || table === 'far' || table === 'inheriting'
          ? object(table, 'parent', manual('parent', 'parent_id', 'id'))
          : object(table, 'parent', { foreign_key_constraint_on: 'parent_id' }),
      ),
      ...kinds.flatMap((table) => [
        object(table, 'parent_view', manual('parent_view', 'parent_id', 'id')),
        object(table, 'hidden', manual('hidden', 'parent_id', 'id')),
        array(table, 'siblings', manual(table, 'parent_id', 'parent_id')),
      ]),
      ...roles.flatMap((role) => {
        const select = (table: string) =>
          op('pg_create_select_permission', {
            table,
            role,
            permission: { columns: '*', filter: {}, allow_aggregations: true },
          })
        const check = checks[role]
        const inner = [
          op('pg_create_insert_permission', { table: 'peer', role, permission: { columns: '*', check: {} } }),
          op('pg_create_insert_permission', {
            table: 'toy',
            role,
            permission: { columns: '*', check: role === 'bound' ? { n: { _lt: 80 } } : {} },
          }),
        ]
        return [...new Set([...kinds, ...related].map((table) => table))]
          .map(select)
          .concat(
            ...written.map((table) => [
              op('pg_create_insert_permission', { table, role, permission: { columns: '*', check } }),
              op('pg_create_update_permission', { table, role, permission: { columns: '*', filter: {}, check } }),
              op('pg_create_delete_permission', { table, role, permission: { filter: {} } }),
            ]),
          )
          .concat(inner)
      }),
    )
}

async function allRows(client: pg.Client): Promise<string> {
  const stored = kinds.filter((kind) => byKey.has(kind))
  const tables = [...stored, 'child', 'toy', 'peer', 'noted', 'under', 'far_away', 'passed_on', 'inherited', 'country']
  const lists = tables.map((table) => `(SELECT json_agg(r ORDER BY r::text) FROM ${table} AS r)`)
  const { rows } = await client.query(`SELECT json_build_array(${lists.join(', ')})::text AS all`)
  return rows[0].all
}

const byKey = new Set<string>(kinds.filter((kind) => kind !== 'seen' && kind !== 'far'))

function randomMutation(random: Random): string {
  const fields = Array.from({ length: random.chance(0.15) ? 2 : 1 }, (_, i) => `f${i}: ${randomField(random)}`)
  return `mutation { ${fields.join(' ')} }`
}

function randomField(random: Random): string {
  if (random.chance(0.1)) return randomChildren(random)
  // half of all to what is written by one statement
  const table = random.chance(0.3) ? 'plain' : random.pick(kinds)
  const isOne = random.chance(0.6)
  const answer = randomAnswer(random, table)
  const returning = isOne ? answer : `{ affected_rows returning ${answer} }`
  const n = random.below(10)
  if (n < 5 || !byKey.has(table)) {
    const rows = Array.from({ length: isOne ? 1 : random.below(random.chance(0.1) ? 14 : 4) }, () =>
      randomRow(random, table),
    )
    const conflict =
      byKey.has(table) && table !== 'ruled' && random.chance(0.4) ? ` ${randomConflict(random, table)}` : ''
    return isOne
      ? `$insert_${table}_one(object: ${rows[0]}${conflict}) ${returning}`
      : `$insert_${table}(objects: [${rows.join()}]${conflict}) ${returning}`
  }
  const id = random.below(12)
  if (n < 8) {
    const set = `_set: {${random.chance(table === 'passing' ? 0.5 : 0.1) && table !== 'inheriting' ? `id: ${random.below(12)}, ` : ''}n: ${random.below(10)}, parent_id: ${randomParent(random)}}`
    return isOne
      ? `$update_${table}_by_pk(pk_columns: {id: ${id}}, ${set}) ${returning}`
      : `$update_${table}(where: {n: {_lt: ${random.below(6)}}}, ${set.replace(/id: \d+, /, '')}) ${returning}`
  }
  return isOne
    ? `$delete_${table}_by_pk(id: ${id}) ${returning}`
    : `$delete_${table}(where: {id: {_eq: ${id}}}) ${returning}`
}

const randomParent = (random: Random): string =>
  random.chance(0.3) ? 'null' : String(1 + random.below(random.chance(0.1) ? 5 : 3))

function randomRow(random: Random, table: string): string {
  const cells = [`id: ${table === 'inheriting' ? 12 + random.below(30) : random.below(12)}`, `n: ${random.below(10)}`]
  if (random.chance(0.7)) cells.push(`parent_id: ${randomParent(random)}`)
  if (random.chance(0.5)) cells.push(`t: "${1 + random.below(4)}"`)
  if (table === 'plain' && random.chance(0.25)) {
    const children = Array.from({ length: random.below(4) }, () => randomChild(random, ''))
    cells.push(`children: {data: [${children.join()}]}`)
  }
  if (table === 'plain' && random.chance(0.1)) {
    const peer = () => {
      const refers = random.chance(0.3) ? `, peer_id: ${random.chance(0.2) ? null : random.below(12)}` : ''
      const other = random.chance(0.8) ? ', other_id: null' : ''
      const inner = random.chance(0.4) ? `, peers: {data: [{id: ${random.below(40)}${other}}]}` : ''
      return `{id: ${random.below(40)}${refers}${other}${inner}}`
    }
    cells.push(`peers: {data: [${Array.from({ length: 1 + random.below(3) }, peer)}]}`)
  }
  return `{${cells.join(', ')}}`
}

/** Rows that refer to new rows and have rows referring to them, all of them or some. */
function randomChildren(random: Random): string {
  const even = random.chance(0.7)
  const objects = Array.from({ length: 1 + random.below(random.chance(0.2) ? 14 : 4) }, () => {
    const id = 12 + random.below(random.chance(0.2) ? 12 : 400)
    const isNew = even || random.chance(0.5)
    return randomChild(random, isNew ? `, plain: {data: {id: ${id}, n: ${random.below(9)}}}` : '')
  })
  const answer = random.chance(0.5) ? ' plain { id n }' : ''
  return `$insert_child(objects: [${objects.join()}]) { affected_rows returning { id n${answer} toys(order_by: {id: asc}) { id child_id } } }`
}

function randomChild(random: Random, more: string): string {
  const toys = Array.from({ length: random.below(3) }, () => {
    const owner = random.chance(0.3) ? `, owner_id: ${randomParent(random)}` : ''
    return `{id: ${random.below(900)}, n: ${random.below(92)}${owner}}`
  })
  const inner = random.chance(0.5) ? `, toys: {data: [${toys.join()}]}` : ''
  return `{id: ${random.below(random.chance(0.5) ? 300 : 3000)}, n: ${random.below(95)}${more}${inner}}`
}

const randomConflict = (random: Random, table: string): string =>
  `, on_conflict: {constraint: ${table}_pkey, update_columns: [${random.chance(0.7) ? 'n, parent_id' : ''}]}`

function randomAnswer(random: Random, table: string): string {
  const fields = ['id', 'n', 'owner']
  if (random.chance(0.5)) fields.push('parent { name country { name } }')
  if (random.chance(0.2)) fields.push('parent_view { name plains }')
  if (random.chance(0.2)) fields.push('hidden { name }')
  if (random.chance(0.1)) fields.push('siblings(order_by: {id: asc}) { id n }')
  if (random.chance(0.1)) fields.push('parent { plains_aggregate { aggregate { count } } }')
  if (table === 'plain' && random.chance(0.2)) fields.push('children(order_by: {id: asc}) { id n parent { name } }')
  return `{ ${fields.join(' ')} }`
}
