/** A permission's filter as metadata writes it (reference/filters#expressions-of-permissions). */
import type { Condition, Operand, Table, World } from './world.ts'
import { columnOf, computedOf, relationshipOf, tableOf } from './world-lookup.ts'

export function filterJson(world: World, table: Table, filter: Condition): object {
  const inner = (one: Condition) => filterJson(world, table, one)
  switch (filter.kind) {
    case 'and': {
      const parts = filter.of.map(inner)
      const keys = parts.flatMap((part) => Object.keys(part))
      // several keys mean that all hold
      if (parts.length > 1 && new Set(keys).size === keys.length) return Object.assign({}, ...parts)
      return parts.length % 2 === 0 ? { _and: parts } : { $and: parts }
    }
    case 'or':
      return filter.of.length % 2 === 0 ? { _or: filter.of.map(inner) } : { $or: filter.of.map(inner) }
    case 'not':
      return filter.of.kind === 'compare' ? { $not: inner(filter.of) } : { _not: inner(filter.of) }
    case 'compare': {
      const { column, operator, operand, cast, spelling } = filter
      const value = operandJson(operand)
      if (spelling === 'short') return { [column]: value }
      const comparison = { [`${spelling === 'dollar' ? '$' : '_'}${operator}`]: value }
      return { [column]: cast ? { _cast: { String: comparison } } : comparison }
    }
    case 'is-null':
      return { [filter.column]: { _is_null: filter.is } }
    case 'related': {
      const { target } = relationshipOf(world, table.name, filter.relationship)
      return { [filter.relationship]: filterJson(world, tableOf(world, target), filter.of) }
    }
    case 'computed': {
      const { body } = computedOf(world, table.name, filter.field)
      return { [filter.field]: filterJson(world, tableOf(world, body.kind === 'rows' ? body.target : ''), filter.of) }
    }
    case 'aggregate': {
      const { relationship, function: name, columns, distinct, operator, value } = filter
      const { target } = relationshipOf(world, table.name, relationship)
      const [x, y] = columns
      const arguments_ = name === 'count' ? columns : y === undefined ? x : { X: x, Y: y }
      const aggregate = {
        ...(columns.length > 0 && { arguments: arguments_ }),
        ...(distinct && { distinct }),
        ...(filter.filter && { filter: filterJson(world, tableOf(world, target), filter.filter) }),
        predicate: { [`_${operator}`]: value },
      }
      return { [`${relationship}_aggregate`]: { [name]: aggregate } }
    }
    case 'exists': {
      const exists = { _table: filter.table, _where: filterJson(world, tableOf(world, filter.table), filter.of) }
      return filter.of.kind === 'compare' ? { $exists: exists } : { _exists: exists }
    }
    case 'columns': {
      columnOf(table, filter.column)
      const { operator, other, root } = filter
      const spelled = operator === 'neq' ? (root ? '_cne' : '$cne') : `${operator === 'gt' ? '$' : '_'}c${operator}`
      return { [filter.column]: { [spelled]: root ? ['$', other] : operator === 'lt' ? [other] : other } }
    }
  }
}

function operandJson(operand: Operand): unknown {
  return operand.kind === 'session' ? (operand.spelled ?? operand.variable) : operand.value
}
