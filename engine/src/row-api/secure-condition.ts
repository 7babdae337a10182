import { ApiError, type Path } from '../errors.ts'
import { columnOperand, type RoleTable } from '../graphql/index.ts'
import { allOf, type BooleanExpression, type Operand, type QualifiedName } from '../ir/index.ts'

/** Finds tables as the role may select from them. */
export interface SecureContext {
  readonly role: string
  /** Throws permission-denied where the role may not. */
  target(near: RoleTable, table: QualifiedName): RoleTable
}

/**
 * A condition as far as the role may know (reference/filters#relationships-and-computed-fields,
 * reference/queries#masking): only columns that it may select, masked ones as it sees them, and of other tables only
 * the rows that it may select. Throws permission-denied.
 */
export function secureCondition(
  e: BooleanExpression,
  row: RoleTable,
  context: SecureContext,
  path: Path,
): BooleanExpression {
  return new Securing(row, context, path).condition(e, row)
}

class Securing {
  readonly #root: RoleTable
  readonly #context: SecureContext
  readonly #path: Path

  constructor(root: RoleTable, context: SecureContext, path: Path) {
    this.#root = root
    this.#context = context
    this.#path = path
  }

  condition(e: BooleanExpression, row: RoleTable): BooleanExpression {
    switch (e.kind) {
      case 'and':
      case 'or':
        return { kind: e.kind, of: e.of.map((part) => this.condition(part, row)) }
      case 'not':
      case 'rooted':
        return { kind: e.kind, of: this.condition(e.of, row) }
      case 'compare':
        return { ...e, left: this.#operand(e.left, row) }
      case 'compare-columns':
        return { ...e, left: this.#operand(e.left, row), right: this.#operand(e.right, row) }
      case 'is-null':
        return { ...e, of: this.#operand(e.of, row) }
      case 'exists-related': {
        const target = this.#context.target(row, e.join.table)
        return { ...e, where: this.#within(e.where, target) }
      }
      case 'exists': {
        const target = this.#context.target(row, e.table)
        return { ...e, where: this.#within(e.where, target) }
      }
      case 'exists-computed': {
        const returns = [...row.table.computedFields.values()].find(
          ({ function: { schema, name } }) => schema === e.call.function.schema && name === e.call.function.name,
        )?.returns
        if (returns?.kind !== 'table') throw this.#refusal(`computed field ${e.call.function.name} gives no rows`)
        return { ...e, where: this.#within(e.where, this.#context.target(row, returns.of)) }
      }
    }
  }

  #within(where: BooleanExpression, target: RoleTable): BooleanExpression {
    return allOf([target.filter, this.condition(where, target)])
  }

  #operand(operand: Operand, row: RoleTable): Operand {
    switch (operand.kind) {
      case 'column': {
        const table = operand.of === 'root' ? this.#root : row
        const column = table.columns.find(({ name }) => name === operand.name)
        if (!column)
          throw this.#refusal(
            `role "${this.#context.role}" does not have permission to select column "${operand.name}"`,
          )
        if (operand.of === 'row') return columnOperand(column)
        if (column.mask !== null)
          throw this.#refusal(`column "${operand.name}" is not to be seen in every row, so "$" cannot name it`)
        return operand
      }
      case 'cast':
        return { ...operand, of: this.#operand(operand.of, row) }
      case 'computed': {
        const { schema, name } = operand.call.function
        const field = row.computedFields.find((one) => one.function.schema === schema && one.function.name === name)
        if (!field)
          throw this.#refusal(
            `role "${this.#context.role}" does not have permission to select computed field "${name}"`,
          )
        return field.mask === null ? operand : { kind: 'masked', of: operand, where: field.mask }
      }
      case 'masked':
        return { ...operand, of: this.#operand(operand.of, row) }
      case 'aggregate': {
        const target = this.#context.target(row, operand.join.table)
        if (!target.allowAggregations)
          throw this.#refusal(`role "${this.#context.role}" may not aggregate rows of "${target.name}"`)
        return {
          ...operand,
          where: this.#within(operand.where, target),
          of: operand.of.map((one) => this.#operand(one, target)),
        }
      }
    }
  }

  #refusal(message: string): ApiError {
    return new ApiError('permission-denied', this.#path, message)
  }
}
