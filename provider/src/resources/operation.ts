import type { JsonObject } from '@svc/schema'

/** One metadata operation, as it stands in a request. */
export interface Operation {
  readonly type: string
  readonly args: JsonObject
}

export const op = (type: string, args: JsonObject): Operation => ({ type, args })

/**
 * The usual operations on an object, by their names: `create` and `update` say all of it, `drop` what it is called, which stands
 * under `keys`. `update` null: it is dropped and made again.
 */
export const usualOperations =
  (make: typeof op) =>
  (create: string, update: string | null, drop: string, ...keys: readonly string[]) => {
    const created = (now: JsonObject, place: JsonObject) => make(create, { ...place, ...now })
    const dropped = (old: JsonObject, place: JsonObject) =>
      make(drop, { ...place, ...Object.fromEntries(keys.map((key) => [key, old[key] ?? null])) })
    return {
      create: (now: JsonObject, place: JsonObject) => [created(now, place)],
      update: (old: JsonObject, now: JsonObject, place: JsonObject) =>
        update === null ? [dropped(old, place), created(now, place)] : [make(update, { ...place, ...now })],
      delete: (old: JsonObject, place: JsonObject) => [dropped(old, place)],
    }
  }

/** The same of what lies in no source. */
export const operations = usualOperations(op)
