import type { JsonObject } from '@svc/schema'

/** One metadata operation, as it stands in a request. */
export interface Operation {
  readonly type: string
  readonly args: JsonObject
}

export const op = (type: string, args: JsonObject): Operation => ({ type, args })
