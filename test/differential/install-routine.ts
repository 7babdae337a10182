/** Functions and native queries of a world as SQL and as metadata. */
import type { NativeQuery, Routine, World } from './world.ts'
import { quoted, relationshipOf, tableOf } from './world-lookup.ts'

interface Parameter {
  readonly kind: 'row' | 'session' | 'user'
  readonly name: string
  readonly type: string
  readonly fallback?: number | string
}

/** In the order of the declaration: those with a default come last. */
function parametersOf({ table, session, arguments: declared, rowLast, unnamed }: Routine): readonly Parameter[] {
  const row: readonly Parameter[] = table === null ? [] : [{ kind: 'row', name: 'row_', type: `"${table}"` }]
  const required = declared.filter(({ fallback }) => fallback === undefined)
  const optional = declared.filter(({ fallback }) => fallback !== undefined)
  const user = (list: Routine['arguments']) => list.map((one): Parameter => ({ kind: 'user', ...one }))
  const others: readonly Parameter[] = [
    ...(session ? [{ kind: 'session', name: 'session_', type: 'json' } as const] : []),
    ...user(required),
  ]
  // a row that is not first is found by its name
  return [...(rowLast && !unnamed ? [...others, ...row] : [...row, ...others]), ...user(optional)]
}

export function functionSql(world: World, routine: Routine): string {
  const { name, session, unnamed, body } = routine
  const parameters = parametersOf(routine)
  const declared = parameters.map(({ kind, name: own, type, fallback }) => {
    const shown = unnamed && kind !== 'session' ? '' : `${own} `
    return `${shown}${type}${fallback === undefined ? '' : ` DEFAULT ${typeof fallback === 'number' ? fallback : `'${fallback}'`}`}`
  })
  const at = (kind: Parameter['kind'], user = '') =>
    `$${parameters.findIndex((one) => one.kind === kind && (user === '' || one.name === user)) + 1}`
  const has = (user: string) => parameters.some((one) => one.kind === 'user' && one.name === user)
  const returned = body.kind === 'rows' ? `${body.single ? '' : 'SETOF '}"${body.target}"` : body.returns
  const text = (): string => {
    if (body.kind === 'rows') {
      const low = {
        row: () => `${at('row')}.id`,
        argument: () => at('user', 'low'),
        session: () => `(${at('session')} ->> 'x-svc-user-id')::int`,
      }[body.from]()
      const span = has('span') ? at('user', 'span') : '3'
      const key = tableOf(world, body.target).columns.some((column) => column.name === 'part') ? 'id, part' : 'id'
      const cut = body.single ? ` ORDER BY ${key} LIMIT 1` : ''
      return `SELECT * FROM "${body.target}" AS t WHERE t.id >= ${low} AND t.id < ${low} + ${span}${cut}`
    }
    const column = `${at('row')}.${quoted(body.column)}`
    const more = has('more') ? at('user', 'more') : body.kind === 'plus' ? '1' : `'!'::text`
    return {
      plus: () => `SELECT (${column} + ${more})::int8`,
      joined: () => `SELECT ${column} || ${more}`,
      double: () => `SELECT ${column} * 2`,
      json: () => `SELECT ${column}`,
      word: () => `SELECT (${session ? at('session') : 'NULL'} ->> 'x-svc-word') || '/' || ${at('row')}.id`,
    }[body.kind]()
  }
  return `CREATE FUNCTION "${name}"(${declared.join(', ')}) RETURNS ${returned} STABLE LANGUAGE sql AS $body$ ${text()} $body$;`
}

export const computedFieldsOf = (world: World, table: string): readonly object[] =>
  world.routines
    .filter((one) => one.table === table)
    .map(({ name, session, rowLast, unnamed }) => ({
      name,
      definition: {
        function: name,
        ...(rowLast && !unnamed && { table_argument: 'row_' }),
        ...(session && { session_argument: 'session_' }),
      },
    }))

export const functionsOf = (world: World): readonly object[] =>
  world.routines
    .filter(({ table }) => table === null)
    .map(({ name, session }) => ({
      function: name,
      ...(session && { configuration: { session_argument: 'session_' } }),
    }))

export const nativeQueriesOf = (world: World): readonly object[] =>
  world.queries.map((query) => nativeQueryOf(world, query))

function nativeQueryOf(world: World, { name, model, of }: NativeQuery): object {
  const columns = tableOf(world, model).columns.map((column) => `t.${quoted(column.name)}`)
  const ways = world.relationships.filter(({ table }) => table === model)
  const relationships = (kind: 'object' | 'array') =>
    ways
      .filter((way) => way.kind === kind)
      .map((way) => {
        const { target, query } = relationshipOf(world, model, way.name)
        const remote = query === undefined ? { remote_table: target } : { remote_native_query: query }
        return {
          name: way.name,
          using: { manual_configuration: { ...remote, column_mapping: Object.fromEntries(way.columns) } },
        }
      })
  return {
    root_field_name: name,
    code: `SELECT ${columns.join(', ')} FROM "${of}" AS t WHERE t.id >= {{low}} AND ({{high}}::int4 IS NULL OR t.id <= {{high}})`,
    arguments: { low: { type: 'integer', nullable: false }, high: { type: 'integer', nullable: true } },
    returns: model,
    object_relationships: relationships('object'),
    array_relationships: relationships('array'),
  }
}
