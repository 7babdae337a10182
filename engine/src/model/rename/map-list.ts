import { isRecord, type Json, type JsonObject } from '@svc/schema'

/** Maps the objects of a list; what is no list is returned as it is. */
export const mapList = (list: Json | undefined, map: (item: JsonObject) => JsonObject): Json =>
  Array.isArray(list) ? list.map((item: Json) => (isRecord(item) ? map(item) : item)) : (list ?? [])
