import type { Statement, TypeSystem } from '../backends/index.ts'
import { isRawNumber } from '../exact-json/index.ts'
import { joinVariable, type KeyedRows } from '../graphql/index.ts'
import type { DatabaseType } from '../ir/index.ts'
import { type Bindings, bindValue } from './bind.ts'
import type { Running } from './graphql-execution.ts'
import { loggedStatement } from './log-query.ts'
import { joinValues } from './run-action.ts'
import { callerOf, readConnection } from './source-connection.ts'

/** Returns the rows of a table for lists of keys: `keys[i]` are those of the i-th key. */
export const askRows = async (...args: Parameters<typeof answersOf>): Promise<readonly unknown[]> =>
  joinValues(await answersOf(...args))

/** Returns these rows as the database wrote them: `{"v": …}` for each key. `label`: the field, for the log. */
export async function answersOf(
  { source, query }: KeyedRows<Statement>,
  keys: readonly (readonly unknown[])[],
  label: string,
  { model, request, signal, answerSize, logQuery, routed }: Running,
  bindings: Bindings,
): Promise<Buffer> {
  const types = model.input.sources.get(source)?.backend?.types
  if (!types) throw new Error(`the plan reaches source ${source}, which the model lacks`)
  const given = Object.fromEntries(
    keys.map((list, i) => {
      const name = joinVariable(i)
      const slot = query.slots.find((one) => one.kind === 'variable' && one.variable === name)
      return [name, slot && isText(slot.type.type, types) ? list.map(textOf) : list]
    }),
  )
  const filled = { ...bindings, variables: { ...request.variables, ...given } }
  const parameters = query.slots.map((slot) => bindValue(slot, types, filled))
  logQuery?.({ of: 'database', sql: { [label]: loggedStatement({ plan: query, parameters }) } })
  return readConnection(routed, source).query(query, parameters, signal, answerSize.left, callerOf(routed))
}

/** Whether values of a type stand in JSON as texts, or may. */
const isText = (type: DatabaseType, types: TypeSystem): boolean =>
  !type.array &&
  !types.isJson(type) &&
  (types.numbersAsTexts || !types.isNumeric(type)) &&
  types.graphqlScalar(type) !== 'Boolean'

/** A key of another type is cast to that of the column (reference/remote-schemas#joins). */
const textOf = (json: unknown): unknown =>
  isRawNumber(json) || typeof json === 'number' || typeof json === 'boolean' ? JSON.stringify(json) : json
