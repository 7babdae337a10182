import { isRecord, type Json, type JsonObject } from '@svc/schema'

/** The objects of a list, each as another; what is no list stays. */
export const mapList = (list: Json | undefined, map: (item: JsonObject) => JsonObject): Json =>
  Array.isArray(list) ? list.map((item: Json) => (isRecord(item) ? map(item) : item)) : (list ?? [])
