import {
  addressText,
  declaresCustomType,
  findObject,
  isRecord,
  type Json,
  type MetadataDocument,
  type ObjectAddress,
} from '@svc/schema'
import { type Headers, headerText } from '../auth/index.ts'
import { InconsistencyError } from '../changes/index.ts'
import { type ApiError, withDetails } from '../errors.ts'
import { DependencyError, MissingObject } from '../metadata/index.ts'
import { type Fault, type Model, plainReason } from '../model/index.ts'
import { objectNameAt } from './object-name-at.ts'

/**
 * Keys that an error's body has in addition to those of the contract, where `X-Svc-Error-Details` names them
 * (docs/metadata-api.md): `at`, the value at fault; `needs`, the objects that have to come or go first; `summary`, the
 * error for people, with the reasons of what would be inconsistent.
 */
export type ErrorDetail = (typeof details)[number]

const details = ['at', 'needs', 'summary'] as const

/** Returns the details that a request wants: a list, whose unknown names are ignored. */
export function detailsAsked(headers: Headers | undefined): ReadonlySet<ErrorDetail> {
  const names = (headers && headerText(headers, 'x-svc-error-details'))?.split(',').map((name) => name.trim()) ?? []
  return new Set(details.filter((detail) => names.includes(detail)))
}

/** Returns an error with the details that are requested. `document`: as it was before what was refused. */
export function detailedError(
  error: ApiError,
  asked: ReadonlySet<ErrorDetail>,
  document: MetadataDocument,
  showInternal: boolean,
): ApiError {
  if (asked.size === 0) return error
  return withDetails(error, {
    ...(asked.has('at') && { at: (error.at ?? error.path).toString() }),
    ...(asked.has('needs') && { needs: needsOf(error, document).map((at) => objectNameAt(document, at)) }),
    ...(asked.has('summary') && { summary: summaryOf(error, showInternal) }),
  })
}

/**
 * What stands in the way of a refused change: objects that are missing have to come, objects that the document has have to go.
 * Empty: nothing that other changes of the metadata could bring would help.
 */
function needsOf(error: ApiError, document: MetadataDocument): readonly ObjectAddress[] {
  if (error instanceof DependencyError) return error.dependents.map(({ address }) => address)
  if (error instanceof MissingObject) return [error.object]
  if (!(error instanceof InconsistencyError)) return []
  const { faults, model } = error
  const needs = faults.map((fault) => ({ fault, missing: missingBehind(model, fault, new Set()) }))
  if (needs.some(({ missing }) => missing === null)) return []
  const all = needs.flatMap(({ fault, missing }) =>
    // what the change itself removes no one brings back: what uses it has to go
    (missing ?? []).map((at) => (findObject(document, at) || declaresCustomType(document, at) ? fault.address : at)),
  )
  return [...new Map(all.map((at) => [addressText(at), at])).values()]
}

/** The missing objects that a fault comes from in the end; null where something else is wrong as well. */
function missingBehind(model: Model, fault: Fault, seen: Set<string>): readonly ObjectAddress[] | null {
  if (fault.cause !== 'metadata') return null
  const found: ObjectAddress[] = []
  for (const need of fault.needs) {
    const behind = eitherKind(need).find((at) => model.faults.has(addressText(at)))
    const cause = behind && model.faults.get(addressText(behind))
    if (!cause) {
      if (eitherKind(need).every((at) => !findObject(model.input.document, at))) found.push(need)
      continue
    }
    const key = addressText(cause.address)
    if (seen.has(key)) continue
    const missing = missingBehind(model, cause, seen.add(key))
    if (missing === null) return null
    found.push(...missing)
  }
  return found
}

/** A filter does not say which kind of relationship it goes over. */
const eitherKind = (need: ObjectAddress): readonly ObjectAddress[] =>
  need.type === 'object_relation' ? [need, { ...need, type: 'array_relation' }] : [need]

/** The reasons of what would be inconsistent say more than that something would be. */
function summaryOf(error: ApiError, showInternal: boolean): string {
  const text = plainReason(error.message)
  if (!showInternal) return text
  if (!(error instanceof InconsistencyError)) return text + saidIn(error.internal)
  if (error.saysReasons) return text + saidIn(error.objects)
  const reasons = error.objects.map((object) => `${object.name}: ${plainReason(object.reason)}${saidIn(object)}`)
  return `${text}: ${[...new Set(reasons)].join('; ')}`
}

/** What a database or another server said, which "connection error" leaves out. */
function saidIn(internal: unknown): string {
  const objects = (Array.isArray(internal) ? internal : [internal]) as readonly Json[]
  const messages = objects.flatMap((one) => (isRecord(one) && typeof one.message === 'string' ? [one.message] : []))
  return messages.length === 0 ? '' : ` (${[...new Set(messages)].join('; ')})`
}
