import { canonicalKind, type JsonObject, type NameStyle, nameStyle, operationPrefix } from '@svc/schema'
import { type Operation, op, usualOperations } from './operation.ts'

/** What the declarations of objects in a source need to know of its kind. */
export interface SourceFamily {
  /** As metadata has it: `mssql`. */
  readonly kind: string
  /** How it spells the names of tables and functions. */
  readonly style: NameStyle
  /** An operation on sources of this kind, by its name without prefix. */
  readonly op: (name: string, args: JsonObject) => Operation
  /** The usual ones, by their names without prefix. */
  readonly operations: ReturnType<typeof usualOperations>
}

export function sourceFamily(sourceKind: string): SourceFamily {
  const kind = canonicalKind(sourceKind)
  const prefix = operationPrefix(kind)
  const own = (name: string, args: JsonObject) => op(`${prefix}_${name}`, args)
  return { kind, style: nameStyle(kind), op: own, operations: usualOperations(own) }
}
