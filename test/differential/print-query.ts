import type { Random } from '../admin/random.ts'
import type { AggregateValue, Field, OrderKey, Part, Root, Rows } from './query.ts'
import {
  type ColumnType,
  type Condition,
  columnOf,
  relationshipOf,
  type Table,
  tableOf,
  type Value,
  type World,
} from './world.ts'

export interface PrintedQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** A query as a GraphQL document; some of its values become variables. */
export function printQuery(world: World, roots: readonly Root[], random: Random): PrintedQuery {
  const types: string[] = []
  const variables: Record<string, unknown> = {}
  const give = (value: unknown, type: string, literal: string): string => {
    if (!random.chance(0.4)) return literal
    const name = `v${types.length}`
    types.push(`$${name}: ${type}`)
    variables[name] = value
    return `$${name}`
  }
  const printer = new Printer(world, give)
  const body = roots.map((root) => printer.root(root)).join('\n')
  return { query: `query${types.length > 0 ? ` (${types.join(', ')})` : ''} {\n${body}\n}`, variables }
}

type Give = (value: unknown, type: string, literal: string) => string

const scalars: Readonly<Record<ColumnType, string>> = {
  int4: 'Int',
  int8: 'bigint',
  numeric: 'numeric',
  text: 'String',
  bool: 'Boolean',
  date: 'date',
  uuid: 'uuid',
  jsonb: 'jsonb',
}

class Printer {
  readonly #world: World
  readonly #give: Give

  constructor(world: World, give: Give) {
    this.#world = world
    this.#give = give
  }

  root(root: Root): string {
    const table = tableOf(this.#world, root.table)
    switch (root.kind) {
      case 'list':
        return `${root.as}: ${table.name}${this.#rows(table, root.rows)} ${this.#fields(table, root.fields)}`
      case 'aggregate':
        return `${root.as}: ${table.name}_aggregate${this.#rows(table, root.rows)} ${this.#parts(table, root.parts)}`
      case 'by_pk': {
        const key = Object.entries(root.key).map(
          ([name, value]) => `${name}: ${this.#give(value, 'Int!', String(value))}`,
        )
        return `${root.as}: ${table.name}_by_pk(${key.join(', ')}) ${this.#fields(table, root.fields)}`
      }
    }
  }

  #rows(table: Table, { where, orderBy, distinctOn, limit, offset }: Rows): string {
    const count = (value: number) => this.#give(value, 'Int', String(value))
    const args = [
      ...(where ? [`where: ${this.#where(table, where)}`] : []),
      ...(orderBy.length > 0 ? [`order_by: [${orderBy.map(printOrder).join(', ')}]`] : []),
      ...(distinctOn.length > 0 ? [`distinct_on: [${distinctOn.join(', ')}]`] : []),
      ...(limit === null ? [] : [`limit: ${count(limit)}`]),
      ...(offset === null ? [] : [`offset: ${count(offset)}`]),
    ]
    return args.length > 0 ? `(${args.join(', ')})` : ''
  }

  #where(table: Table, where: Condition): string {
    switch (where.kind) {
      case 'and':
      case 'or':
        return `{_${where.kind}: [${where.of.map((one) => this.#where(table, one)).join(', ')}]}`
      case 'not':
        return `{_not: ${this.#where(table, where.of)}}`
      case 'compare':
        return `{${where.column}: {_${where.operator}: ${this.#operand(table, where)}}}`
      case 'is-null':
        return `{${where.column}: {_is_null: ${where.is}}}`
      case 'related': {
        const { target } = relationshipOf(this.#world, table.name, where.relationship)
        return `{${where.relationship}: ${this.#where(tableOf(this.#world, target), where.of)}}`
      }
      case 'count': {
        const { columns, distinct, filter, operator, value } = where
        const target = tableOf(this.#world, relationshipOf(this.#world, table.name, where.relationship).target)
        const members = [
          ...(columns.length > 0 ? [`arguments: [${columns.join(', ')}]`] : []),
          ...(distinct ? ['distinct: true'] : []),
          ...(filter ? [`filter: ${this.#where(target, filter)}`] : []),
          `predicate: {_${operator}: ${this.#give(value, 'Int', String(value))}}`,
        ]
        return `{${where.relationship}_aggregate: {count: {${members.join(', ')}}}}`
      }
      case 'exists':
      case 'columns':
        throw new Error(`${where.kind} is no part of GraphQL`)
    }
  }

  #operand(table: Table, { column, operator, operand }: Condition & { kind: 'compare' }): string {
    if (operand.kind === 'session') throw new Error('session variables are no part of GraphQL')
    const { value } = operand
    const scalar = operator === 'has_key' ? 'String' : scalars[columnOf(table, column).type]
    if (Array.isArray(value)) return this.#give(value, `[${scalar}!]`, `[${value.map(literal).join(', ')}]`)
    return this.#give(value, scalar, literal(value as Value))
  }

  #fields(table: Table, fields: readonly Field[]): string {
    return `{ ${fields.map((field) => this.#field(table, field)).join(' ')} }`
  }

  #field(table: Table, field: Field): string {
    if (field.kind === 'column') return field.as === field.column ? field.column : `${field.as}: ${field.column}`
    const target = tableOf(this.#world, relationshipOf(this.#world, table.name, field.relationship).target)
    switch (field.kind) {
      case 'object':
        return `${field.as}: ${field.relationship} ${this.#fields(target, field.fields)}`
      case 'array':
        return `${field.as}: ${field.relationship}${this.#rows(target, field.rows)} ${this.#fields(target, field.fields)}`
      case 'aggregate':
        return `${field.as}: ${field.relationship}_aggregate${this.#rows(target, field.rows)} ${this.#parts(target, field.parts)}`
    }
  }

  #parts(table: Table, parts: readonly Part[]): string {
    const printed = parts.map((part) =>
      part.kind === 'nodes'
        ? `${part.as}: nodes ${this.#fields(table, part.fields)}`
        : `${part.as}: aggregate { ${part.values.map(printAggregate).join(' ')} }`,
    )
    return `{ ${printed.join(' ')} }`
  }
}

function printOrder({ through, of, direction }: OrderKey): string {
  const inner =
    of.kind === 'column'
      ? `{${of.column}: ${direction}}`
      : of.kind === 'count'
        ? `{${of.relationship}_aggregate: {count: ${direction}}}`
        : `{${of.relationship}_aggregate: {${of.operator}: {${of.column}: ${direction}}}}`
  return through.reduceRight((text, name) => `{${name}: ${text}}`, inner)
}

function printAggregate(value: AggregateValue): string {
  if (value.kind === 'operator')
    return `${value.as}: ${value.operator} { ${value.columns.map(({ as, column }) => `${as}: ${column}`).join(' ')} }`
  const args = [
    ...(value.columns.length > 0 ? [`columns: [${value.columns.join(', ')}]`] : []),
    ...(value.distinct ? ['distinct: true'] : []),
  ]
  return `${value.as}: count${args.length > 0 ? `(${args.join(', ')})` : ''}`
}

function literal(value: Value): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, member]) => `${key}: ${member}`)
    .join(', ')}}`
}
