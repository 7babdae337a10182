import { isRecord, type Json, type JsonObject } from '@svc/schema'
import type { EngineErrorBody } from '../client/index.ts'
import { attributePath, type Path, type ResourceKind, type Values } from '../resources/index.ts'
import { pointablePath } from './attribute-path.ts'
import { errorAt } from './diagnostic.ts'
import { pathInArguments } from './engine-path.ts'
import type { Diagnostic } from './provider.ts'

/** An engine's refusal as an error of the attribute at fault. `at`: the engine's path of the value, where it tells. */
export function explainRefusal(
  kind: ResourceKind,
  values: Values,
  error: EngineErrorBody,
  at: string = error.path,
  hints: readonly string[] = [],
): Diagnostic {
  const found = faultPath(kind, values, at)
  const path = found.length === 0 && saysWhy(kind, error) ? connectionPath(kind, values) : found
  return errorAt(kind.attributes, path, reasonOf(error), [`The engine answered ${error.code}.`, ...hints].join('\n'))
}

/** What a database said when a source was connected with it is about the attribute that says where it is. */
const saysWhy = (kind: ResourceKind, error: EngineErrorBody): boolean =>
  kind.type === 'source' && reasonOf(error) !== withoutPreamble(error.error)

const connectionPath = (kind: ResourceKind, values: Values): Path =>
  pointablePath(
    kind.attributes,
    attributePath(kind, values, ['configuration', 'connection_info', 'database_url']).slice(0, 1),
  )

function faultPath(kind: ResourceKind, values: Values, at: string): Path {
  const [head, ...rest] = pathInArguments(at)
  if (head === undefined) return []
  // where an operation calls it otherwise than the object does
  const path = attributePath(kind, values, head === 'relationship' ? ['name', ...rest] : [head, ...rest])
  return pointablePath(kind.attributes, path).length === 0 ? [] : path
}

/** The reasons of what would be inconsistent say more than that something would be. */
export function reasonOf({ error, internal }: EngineErrorBody): string {
  const objects = Array.isArray(internal) ? (internal as readonly Json[]).filter(isRecord) : []
  const said = saidBy(objects.length === 0 && isRecord(internal as Json) ? [internal as JsonObject] : objects)
  if (objects.length === 0 || error.includes('Inconsistent object')) return withoutPreamble(error) + said
  const reasons = objects.map(
    (object) => `${String(object.name)}: ${withoutPreamble(String(object.reason))}${saidBy([object])}`,
  )
  return `${error}: ${[...new Set(reasons)].join('; ')}`
}

/** What a database said, which "connection error" leaves out. */
function saidBy(objects: readonly JsonObject[]): string {
  const messages = objects.flatMap(({ message }) => (typeof message === 'string' ? [message] : []))
  return messages.length === 0 ? '' : ` (${[...new Set(messages)].join('; ')})`
}

const withoutPreamble = (reason: string) => reason.replaceAll('Inconsistent object: ', '')
