import type { DatabaseType } from '../../../ir/index.ts'
import type { Capture, CapturedColumns, CapturedOperation, CaptureOptions } from '../../event-store.ts'
import { ident, join, literal, print, type Sql, sql, tableName } from '../../sql.ts'

/** Of trigger and function alike (reference/event-triggers#in-the-database). */
export const captureName = (trigger: string, operation: CapturedOperation): string =>
  `notify_svc_${trigger}_${operation.toUpperCase()}`

const comma = sql`, `

/**
 * The function that stores an event for one changed row. It runs as its owner, so that every client's change is
 * captured, whatever the client may do in svc_catalog; the fixed search_path keeps others' operators out of it. A
 * function per operation and a trigger per row: a partition that is written to directly and rows that replication
 * applies are captured too, which transition tables of statements do not see. Measured in CPU: 20 µs a row of 10,000, a
 * statement trigger 11; where each row is a transaction, 37 and 45 (bench/results/remote.md). A transaction notifies
 * once.
 */
export function captureFunction(capture: Capture, operation: CapturedOperation, options: CaptureOptions): Sql {
  const columns = capture.operations[operation]
  const payload = columns?.payload ?? '*'
  const row = (record: Sql) => rowJson(record, capture, payload, options)
  const old = operation === 'insert' ? sql`NULL` : row(sql`OLD`)
  const now = operation === 'delete' ? sql`NULL` : row(sql`NEW`)
  const { schema, name } = capture.table
  const store = sql`INSERT INTO svc_catalog.event_log (schema_name, table_name, trigger_name, payload)
    VALUES (${literal(schema)}, ${literal(name)}, ${literal(capture.trigger)}, jsonb_build_object(
      'op', ${literal(operation.toUpperCase())},
      'data', jsonb_build_object('old', ${old}, 'new', ${now}),
      'session_variables', NULLIF(current_setting('svc.user', true), '')::jsonb,
      'trace_context', NULLIF(current_setting('svc.tracecontext', true), '')::jsonb));
    IF current_setting('svc.notified', true) IS DISTINCT FROM 'yes' THEN
      PERFORM set_config('svc.notified', 'yes', true), pg_notify('svc_events', '');
    END IF;`
  const body =
    operation === 'update'
      ? updateBody(capture, columns?.listen ?? '*', store)
      : sql`BEGIN
    ${store}
    RETURN NULL;
  END`
  return sql`CREATE OR REPLACE FUNCTION svc_catalog.${ident(captureName(capture.trigger, operation))}() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS ${literal(print(body).text)}`
}

/** Records are compared as a whole, so that NULL equals NULL. */
function updateBody(capture: Capture, listen: CapturedColumns, store: Sql): Sql {
  const listened = capture.columns.filter(({ name }) => listen === '*' || listen.includes(name))
  const record = (of: Sql): Sql =>
    listen === '*'
      ? of
      : sql`ROW(${join(
          listened.map(({ name }) => sql`${of}.${ident(name)}`),
          comma,
        )})::record`
  const equality = equalityOf(listened.map(({ type }) => type))
  const byValue = sql`${record(sql`OLD`)} <> ${record(sql`NEW`)}`
  const byImage = sql`${record(sql`OLD`)} *<> ${record(sql`NEW`)}`
  if (equality !== 'unknown')
    return sql`BEGIN
    IF ${equality === 'all' ? byValue : byImage} THEN
    ${store}
    END IF;
    RETURN NULL;
  END`
  return sql`DECLARE changed boolean;
  BEGIN
    BEGIN
      changed := ${byValue};
    EXCEPTION WHEN undefined_function THEN
      changed := ${byImage};
    END;
    IF changed THEN
    ${store}
    END IF;
    RETURN NULL;
  END`
}

const comparable = new Set(
  (
    'bool bytea char name int8 int2 int4 text oid float4 float8 varchar bpchar date time timestamp timestamptz timetz ' +
    'interval numeric uuid jsonb inet cidr macaddr macaddr8 bit varbit money tsvector int4range int8range numrange ' +
    'tsrange tstzrange daterange'
  ).split(' '),
)
const incomparable = new Set(['json', 'xml', 'point'])

/** Whether values of the types can be compared: of all, not of one at least, or only the database knows. */
function equalityOf(types: readonly DatabaseType[]): 'all' | 'none' | 'unknown' {
  const isOwn = (type: DatabaseType) => type.schema === 'pg_catalog'
  if (types.some((type) => isOwn(type) && incomparable.has(type.name))) return 'none'
  return types.every((type) => type.kind === 'enum' || (isOwn(type) && comparable.has(type.name))) ? 'all' : 'unknown'
}

/** The JSON of a row. A column that is added later is in it too, unless columns were named. */
function rowJson(record: Sql, capture: Capture, payload: CapturedColumns, options: CaptureOptions): Sql {
  const chosen = payload === '*' ? capture.columns : capture.columns.filter(({ name }) => payload.includes(name))
  const special = chosen.flatMap(({ name, type }) => {
    const value = specialJson(sql`${record}.${ident(name)}`, type, options)
    return value ? [{ name, value }] : []
  })
  if (payload !== '*') {
    const values = chosen.map(
      ({ name }) => special.find((one) => one.name === name)?.value ?? sql`${record}.${ident(name)}`,
    )
    const named = chosen.map(({ name }, i) => sql`${values[i] ?? sql`NULL`} AS ${ident(name)}`)
    return sql`(SELECT to_jsonb(r) FROM (SELECT ${join(named, comma)}) AS r)`
  }
  if (special.length === 0) return sql`to_jsonb(${record})`
  const overrides = special.map(({ name, value }) => sql`${value} AS ${ident(name)}`)
  return sql`(to_jsonb(${record}) || (SELECT to_jsonb(r) FROM (SELECT ${join(overrides, comma)}) AS r))`
}

const stringified = new Set(['int8', 'numeric', 'float8'])
const geographic = new Set(['geometry', 'geography'])

/** Types whose JSON is not what the database makes of them by itself. */
function specialJson(value: Sql, type: DatabaseType, { stringifyNumericTypes }: CaptureOptions): Sql | null {
  if (!type.array && geographic.has(type.name) && type.kind === 'base')
    return sql`${ident(type.schema)}.ST_AsGeoJSON(${value}, 15, 4)::jsonb`
  if (stringifyNumericTypes && type.schema === 'pg_catalog' && stringified.has(type.name))
    return type.array ? sql`${value}::text[]` : sql`${value}::text`
  return null
}

/** Run only where there is none, since it takes a lock that blocks writers. */
export function captureTrigger(capture: Capture, operation: CapturedOperation): Sql {
  const name = ident(captureName(capture.trigger, operation))
  const event = { insert: sql`INSERT`, update: sql`UPDATE`, delete: sql`DELETE` }[operation]
  return sql`CREATE TRIGGER ${name} AFTER ${event} ON ${tableName(capture.table)}
  FOR EACH ROW EXECUTE FUNCTION svc_catalog.${name}()`
}
