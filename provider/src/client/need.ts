import { isRecord, type Json, type JsonObject, type ObjectAddress, recordOf } from '@svc/schema'
import type { EngineErrorBody } from './client-error.ts'
import { addressOfKey } from './logged-changes.ts'

/** An object that has to come or go before what the engine refused can be done. */
export interface Need {
  readonly name: string
  /** Source, table and own key, as the wire has them. */
  readonly key: JsonObject
  /** Null: of a kind that this version does not know. */
  readonly address: ObjectAddress | null
}

/** The needs that an engine says, of a refusal or of a pending member of a plan. */
export const readNeeds = (needs: unknown): readonly Need[] =>
  Array.isArray(needs) ? (needs as readonly Json[]).map(readNeed) : []

/** What a refusal says of it; an engine that does not know the header of details says nothing. */
export const needsOf = ({ needs }: EngineErrorBody): readonly Need[] => readNeeds(needs)

function readNeed(object: Json): Need {
  if (!isRecord(object)) return { name: String(object), key: {}, address: null }
  const key = recordOf(object.key)
  return { name: String(object.name), key, address: addressOfKey(String(object.type), key) }
}
