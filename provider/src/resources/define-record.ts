import { decodeShallow, type Json, type JsonObject, type Schema, type ValueFault } from '@svc/schema'
import type { Attributes } from './attribute.ts'
import { type CommonDeclaration, type CommonKind, compileDeclaration, declaredAttributes } from './define-resource.ts'
import type { Operation } from './operation.ts'

/**
 * A record that the engine stores next to its metadata, found by an id of its own. Where no `update` changes it, a new
 * one replaces it.
 */
interface RecordStore {
  /** Making one that is there is no error, so that it can be requested twice. */
  readonly create: (id: string, value: JsonObject) => Operation
  /** The id that it has then, by the answer or the value. */
  readonly createdId: (answer: Json, value: JsonObject) => string | null
  /** Changes what is there, under the same id, from what the state says it was; null: another one has to take its place. */
  readonly update?: (id: string, value: JsonObject, old: JsonObject) => Operation | null
  /** Dry run, it is refused for what `create` would be refused for; without it, nothing is tried. */
  readonly check?: (value: JsonObject) => Operation
  /** One page of the records: all of them, or only the one with the id. */
  readonly read: (id: string, page: { readonly limit: number; readonly offset: number }) => Operation
  /** What is in the answer to it. */
  readonly found: (answer: Json) => readonly FoundRecord[]
  readonly delete: (id: string) => Operation
  /** A sentence to show when a record is read that no longer does what it is for. */
  readonly warning?: (found: FoundRecord) => string | null
  /** Sentences for the plan that makes one, or puts one in the place of what is there. */
  readonly remarks?: (change: RecordChange) => readonly string[]
  /** Whether one that is not there any more may have done what it is for: then it is not made again. */
  readonly isOver?: (value: JsonObject, now: number) => boolean
}

export interface FoundRecord {
  readonly id: string
  readonly value: JsonObject
  /** As the engine calls it. */
  readonly status: string
}

interface RecordChange {
  /** Null: nothing is there. */
  readonly old: FoundRecord | null
  /** Null: it goes. */
  readonly now: JsonObject | null
  /** Milliseconds since 1970. */
  readonly time: number
}

export interface RecordDeclaration extends Omit<CommonDeclaration, 'identity' | 'schemas'> {
  readonly schema: Schema<unknown>
  /** A value that its schema has read, as the engine would keep it. */
  readonly normal?: (value: JsonObject) => JsonObject
  /** What of a canonical value the engine could never do. */
  readonly faults?: (canonical: JsonObject) => readonly ValueFault[]
  readonly store: RecordStore
}

export interface RecordKind extends CommonKind {
  readonly store: RecordStore
}

/** Compiles a declaration. Throws Error where it is none that every tool can show. */
export function defineRecord({ schema, normal = (value) => value, ...declared }: RecordDeclaration): RecordKind {
  const declaration = { ...declared, identity: ['id'] }
  const attributes = declaredAttributes(declaration, [schema])
  return {
    ...declaration,
    ...compileDeclaration(declaration, declared.store.update ? attributes : replacing(attributes)),
    parents: [],
    unread: () => [],
    canonical(value) {
      const decoded = decodeShallow(schema, value)
      if (decoded.ok) return { ok: true, value: normal(decoded.value as JsonObject) }
      const { path, at = path, message } = decoded.issue
      return { ok: false, message, path: at }
    },
    faults: declared.faults ?? (() => []),
  }
}

const replacing = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, { ...attribute, replace: !attribute.writeOnly }]),
  )
