import { canonicalKind, type JsonObject, type NameStyle, nameStyle, operationPrefix } from '@svc/schema'
import { type Operation, op } from './operation.ts'

/** What the declarations of objects in a source need to know of its kind. */
export interface SourceFamily {
  /** As metadata has it: `mssql`. */
  readonly kind: string
  /** How it spells the names of tables and functions. */
  readonly style: NameStyle
  /** An operation on sources of this kind, by its name without prefix. */
  readonly op: (name: string, args: JsonObject) => Operation
}

export function sourceFamily(sourceKind: string): SourceFamily {
  const kind = canonicalKind(sourceKind)
  const prefix = operationPrefix(kind)
  return { kind, style: nameStyle(kind), op: (name, args) => op(`${prefix}_${name}`, args) }
}
