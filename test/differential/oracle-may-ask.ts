/**
 * Whether a role's schema has what a query names (reference/permissions#effect-on-the-schema): where it does not, the
 * query is refused as a whole.
 */
import { Ambiguous } from './oracle-values.ts'
import type { Asker, Grant } from './oracle-view.ts'
import type { Field, OrderKey, Page, Part, Root, Rows } from './query.ts'
import type { Condition, RootField, Table } from './world.ts'
import { rowsTarget, tableOf } from './world-lookup.ts'

export const mayAsk = (asker: Asker, roots: readonly Root[]): boolean => roots.every((root) => mayAskRoot(asker, root))

/** What a role sees of a table that it may select from. */
interface Granted {
  readonly table: Table
  readonly grant: Grant
}

/** Asks `is` of a table that the role sees; of any other there is nothing to ask. */
function ofTable({ world, view }: Asker, name: string, is: (granted: Granted) => boolean): boolean {
  const grant = view.grant(name)
  return grant !== null && is({ table: tableOf(world, name), grant })
}

/** The table behind a relationship or a computed field of rows. */
const behind = (asker: Asker, { table }: Granted, name: string, is: (granted: Granted) => boolean): boolean =>
  ofTable(asker, rowsTarget(asker.world, table, name), is)

const sees = ({ grant }: Granted, name: string): boolean =>
  grant.columns.includes(name) || grant.computed.includes(name)

function mayAskRoot(asker: Asker, root: Root): boolean {
  return ofTable(asker, root.table, (granted) => {
    const has = (field: RootField) => granted.grant.roots?.includes(field) ?? true
    switch (root.kind) {
      case 'list':
        return has('select') && rows(asker, granted, root.rows) && fields(asker, granted, root.fields)
      case 'function':
      case 'native':
        return rows(asker, granted, root.rows) && fields(asker, granted, root.fields)
      case 'aggregate':
        return (
          has('select_aggregate') &&
          granted.grant.aggregations &&
          rows(asker, granted, root.rows) &&
          parts(asker, granted, root.parts)
        )
      case 'function-aggregate':
        return granted.grant.aggregations && rows(asker, granted, root.rows) && parts(asker, granted, root.parts)
      case 'by_pk':
        return (
          has('select_by_pk') &&
          Object.keys(root.key).every((column) => sees(granted, column)) &&
          fields(asker, granted, root.fields)
        )
      case 'node':
        return fields(asker, granted, root.fields)
      case 'connection':
        return has('select') && page(asker, granted, root.page)
      case 'function-connection':
        return page(asker, granted, root.page)
    }
  })
}

function rows(asker: Asker, granted: Granted, { columns, where, orderBy, distinctOn }: Rows): boolean {
  // arguments that say nothing may stand there, and are none where there is no column
  if (columns && granted.grant.columns.length === 0) throw new Ambiguous()
  return (
    (where === null || condition(asker, granted, where)) &&
    orderBy.every((key) => order(asker, granted, key)) &&
    distinctOn.every((column) => sees(granted, column))
  )
}

function condition(asker: Asker, granted: Granted, where: Condition): boolean {
  switch (where.kind) {
    case 'and':
    case 'or':
      return (
        (where.empty === undefined || where.empty === '' || sees(granted, where.empty)) &&
        where.of.every((one) => condition(asker, granted, one))
      )
    case 'not':
      return condition(asker, granted, where.of)
    case 'compare':
    case 'is-null':
      return sees(granted, where.column)
    case 'related':
      return behind(asker, granted, where.relationship, (target) => condition(asker, target, where.of))
    case 'computed':
      return behind(asker, granted, where.field, (target) => condition(asker, target, where.of))
    case 'aggregate':
      return behind(
        asker,
        granted,
        where.relationship,
        (target) =>
          target.grant.aggregations &&
          where.columns.every((column) => sees(target, column)) &&
          (where.filter === null || condition(asker, target, where.filter)),
      )
    case 'exists':
    case 'columns':
      return false
  }
}

function order(asker: Asker, granted: Granted, { through: [next, ...through], of, direction }: OrderKey): boolean {
  if (next !== undefined)
    return behind(asker, granted, next, (target) => order(asker, target, { through, of, direction }))
  if (of.kind === 'column') return sees(granted, of.column)
  return behind(asker, granted, of.rows, (target) => of.kind === 'count' || sees(target, of.column))
}

const fields = (asker: Asker, granted: Granted, of: readonly Field[]): boolean =>
  of.every((one) => field(asker, granted, one))

function field(asker: Asker, granted: Granted, one: Field): boolean {
  switch (one.kind) {
    case 'column':
      return one.column === '__typename' || sees(granted, one.column)
    case 'computed':
      return sees(granted, one.field)
    case 'node-id':
      return true
    case 'rows':
      return behind(
        asker,
        granted,
        one.field,
        (target) => rows(asker, target, one.rows) && fields(asker, target, one.fields),
      )
    case 'object':
      return behind(asker, granted, one.relationship, (target) => fields(asker, target, one.fields))
    case 'array':
      return behind(
        asker,
        granted,
        one.relationship,
        (target) => rows(asker, target, one.rows) && fields(asker, target, one.fields),
      )
    case 'aggregate':
      return behind(
        asker,
        granted,
        one.relationship,
        (target) => target.grant.aggregations && rows(asker, target, one.rows) && parts(asker, target, one.parts),
      )
    case 'connection':
      return behind(asker, granted, one.relationship, (target) => page(asker, target, one.page))
  }
}

const parts = (asker: Asker, granted: Granted, of: readonly Part[]): boolean =>
  of.every((part) =>
    part.kind === 'nodes'
      ? fields(asker, granted, part.fields)
      : part.values.every((value) =>
          value.columns.every((column) => sees(granted, typeof column === 'string' ? column : column.column)),
        ),
  )

const page = (asker: Asker, granted: Granted, of: Page): boolean =>
  rows(asker, granted, of.rows) &&
  of.parts.every(
    (part) =>
      part.kind === 'page-info' ||
      part.fields.every((one) => one.kind === 'cursor' || fields(asker, granted, one.fields)),
  )
