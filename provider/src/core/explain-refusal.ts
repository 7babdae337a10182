import { isRecord, type Json } from '@svc/schema'
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
  const path = faultPath(kind, values, at)
  return errorAt(kind.attributes, path, reasonOf(error), [`The engine answered ${error.code}.`, ...hints].join('\n'))
}

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
  if (objects.length === 0 || error.includes('Inconsistent object')) return withoutPreamble(error)
  const reasons = objects.map(({ name, reason }) => `${String(name)}: ${withoutPreamble(String(reason))}`)
  return `${error}: ${[...new Set(reasons)].join('; ')}`
}

const withoutPreamble = (reason: string) => reason.replaceAll('Inconsistent object: ', '')
