import { isRecord, type Json } from '@svc/schema'
import { type EngineErrorBody, placeOfFault, summaryOf } from '../client/index.ts'
import { attributePath, type CommonKind, type Path, type Values } from '../resources/index.ts'
import { pointablePath } from './attribute-path.ts'
import { errorAt } from './diagnostic.ts'
import { pathInArguments } from './engine-path.ts'
import type { Diagnostic } from './provider.ts'

/** Returns an engine's refusal as an error of the attribute at fault. `at`: the engine's path of the value at fault. */
export function explainRefusal(
  kind: CommonKind,
  values: Values,
  error: EngineErrorBody,
  at: string = placeOfFault(error),
  hints: readonly string[] = [],
): Diagnostic {
  const found = faultPath(kind, values, at)
  const path = found.length === 0 && saysWhy(kind, error) ? connectionPath(kind, values) : found
  return errorAt(kind.attributes, path, summaryOf(error), [`The engine answered ${error.code}.`, ...hints].join('\n'))
}

/** What a database said when a source was connected with it is about the attribute that says where it is. */
const saysWhy = (kind: CommonKind, error: EngineErrorBody): boolean =>
  kind.kind === 'Source' &&
  Array.isArray(error.internal) &&
  (error.internal as readonly Json[]).some((object) => isRecord(object) && typeof object.message === 'string')

const connectionPath = (kind: CommonKind, values: Values): Path =>
  pointablePath(
    kind.attributes,
    attributePath(kind, values, ['configuration', 'connection_info', 'database_url']).slice(0, 1),
  )

function faultPath(kind: CommonKind, values: Values, at: string): Path {
  const [head, ...rest] = pathInArguments(at)
  if (head === undefined) return []
  // where an operation calls it otherwise than the object does
  const path = attributePath(kind, values, head === 'relationship' ? ['name', ...rest] : [head, ...rest])
  return pointablePath(kind.attributes, path).length === 0 ? [] : path
}
