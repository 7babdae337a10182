import { addressText, findObject, type Json, type MetadataDocument, type ObjectAddress } from '@svc/schema'
import { InconsistencyError } from '../changes/index.ts'
import type { ApiError } from '../errors.ts'
import { DependencyError, MissingObject } from '../metadata/index.ts'
import { plannedFault } from '../model/index.ts'
import { objectNameAt } from '../requests/index.ts'
import { isDeclared, isImplicit } from './implicit-table.ts'

/** What a dry run says of one member (docs/dry-run.md). */
export type Verdict =
  | { readonly verdict: 'ok'; readonly status: number; readonly result: Json }
  | { readonly verdict: 'error'; readonly status: number; readonly error: Json; readonly at: string }
  | {
      readonly verdict: 'pending'
      readonly status: number
      readonly error: Json
      readonly at: string
      readonly needs: readonly Json[]
    }

export const ok = (result: Json): Verdict => ({ verdict: 'ok', status: 200, result })

/** `body`: the error as the request would get it. */
export const refused = (error: ApiError, body: Json): Verdict => ({
  verdict: 'error',
  status: error.status,
  error: body,
  at: (error.at ?? error.path).toString(),
})

/**
 * What a refusal in a plan waits for, on a fork that has this document; empty: nothing that a later member could bring
 * would mend it.
 */
export function needsOf(error: ApiError, document: MetadataDocument): readonly ObjectAddress[] {
  if (error instanceof DependencyError) return error.dependents.map(({ address }) => address)
  // a table that exists is taken for tracked: one that is missing nevertheless does not exist
  if (error instanceof MissingObject) return error.object.type === 'table' ? [] : [error.object]
  if (!(error instanceof InconsistencyError)) return []
  const assumed = clashWithAssumed(error)
  if (assumed.length > 0) return assumed
  const faults = error.faults.map(({ address }) => ({ address, fault: plannedFault(error.model, address).fault }))
  if (!faults.every(({ fault }) => fault?.cause === 'metadata')) return []
  const broken = new Set(error.faults.map(({ address }) => addressText(address)))
  const needs = faults.flatMap(({ address, fault }) => {
    const missing = fault?.needs ?? []
    // what the member itself removes no one brings back: what uses it has to go
    return missing.some((at) => isDeclared(document, at))
      ? [{ at: address, goes: true }]
      : missing.map((at) => ({ at, goes: false }))
  })
  // what is missing only because something else in the same try is broken says nothing new
  return unique(needs.filter(({ at, goes }) => goes || !broken.has(addressText(at))).map(({ at }) => at))
}

/** A table taken for tracked has a name only until someone tracks it, perhaps under another one. */
function clashWithAssumed({ faults, model }: InconsistencyError): readonly ObjectAddress[] {
  const owners = faults.flatMap(({ cause, needs }) => (cause === 'clash' ? needs : []))
  return unique(owners.filter((at) => isImplicit(findObject(model.input.document, at))))
}

/** Untracked tables that a refusal is about: the database is read again for them, since they may be new. */
export function tablesWanted(error: ApiError): readonly ObjectAddress[] {
  if (!(error instanceof InconsistencyError)) return []
  const { document } = error.model.input
  const wanted = error.faults.flatMap(({ address, needs }) => [...needs, ...plannedFault(error.model, address).assumed])
  return unique(wanted.filter((at) => at.type === 'table' && !findObject(document, at)))
}

const unique = (addresses: readonly ObjectAddress[]): readonly ObjectAddress[] => [
  ...new Map(addresses.map((at) => [addressText(at), at])).values(),
]

export const pending = (
  error: ApiError,
  needs: readonly ObjectAddress[],
  document: MetadataDocument,
  body: Json,
): Verdict => ({
  verdict: 'pending',
  status: error.status,
  error: body,
  at: (error.at ?? error.path).toString(),
  needs: needs.map((at) => ({ ...objectNameAt(document, at) })),
})
