import { operandType, type RowField } from '../../../ir/index.ts'
import { compileJoin, sql } from '../../sql.ts'
import { compileAggregateFields } from './aggregates.ts'
import { shown } from './cast.ts'
import { lowerLimit } from './counts.ts'
import { type JsonEntry, jsonList, jsonValue, typename } from './json-shapes.ts'
import { compileOperand } from './operand.ts'
import { type Belongs, compileList, compileOne, oneRow, orderedRows, reachedBy } from './rows.ts'
import { type AliasKind, notServed, type Scope, type Sql } from './scope.ts'

/** The members of a row's object in the order of the selection, and what has to be joined to the row for them. */
export interface Fields {
  readonly entries: readonly JsonEntry[]
  readonly joins: readonly Sql[]
}

export function compileFields(fields: readonly RowField[], scope: Scope): Fields {
  const compiled = fields.map((field) => compileField(field, scope))
  return { entries: compiled.map(({ entry }) => entry), joins: compiled.flatMap(({ join }) => join ?? []) }
}

interface Field {
  readonly entry: JsonEntry
  readonly join?: Sql
}

type Related = Extract<RowField, { readonly kind: 'object' | 'array' | 'aggregate' }>

function compileField(field: RowField, scope: Scope): Field {
  switch (field.kind) {
    case 'typename':
      return { entry: typename(field) }
    case 'column': {
      const type = operandType(field.of)
      return { entry: { key: field.as, value: compileOperand(field.of, scope, (value) => shown(value, type)) } }
    }
    case 'object':
      return joined('or', field, jsonValue, scope, (belongs) =>
        compileOne(oneRow(reachedBy(field.join), field.where, belongs, scope.statement), field.fields),
      )
    case 'array':
      return joined('ar', field, jsonList, scope, (belongs) => {
        const limit = lowerLimit(field.rows.limit, field.rows.permissionLimit)
        return compileList(
          orderedRows(reachedBy(field.join), field.rows, limit, belongs, scope.statement),
          field.fields,
        )
      })
    case 'aggregate':
      return joined('aa', field, jsonValue, scope, (belongs) =>
        compileAggregateFields(reachedBy(field.join), field.rows, field.fields, belongs, scope.statement),
      )
    case 'nested':
      return notServed('logical models inside of others')
    case 'computed':
      return notServed('Computed fields')
    case 'connection':
    case 'computed-connection':
    case 'node-id':
      return notServed('Relay queries')
  }
}

/** What a relationship leads to, as JSON in a column of its own that is joined to the row. */
function joined(
  kind: AliasKind,
  { as, join: by }: Related,
  value: (text: Sql) => Sql,
  scope: Scope,
  compile: (belongs: Belongs) => Sql,
): Field {
  scope.statement.countJoin()
  const alias = scope.statement.alias(kind, as)
  const json = compile((row) => [compileJoin(by, scope.row, row.row)])
  return {
    entry: { key: as, value: value(sql`${alias}.[json]`) },
    join: sql` OUTER APPLY (${json}) AS ${alias}([json])`,
  }
}
