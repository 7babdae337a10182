import { equalJson, type JsonObject } from '@svc/schema'

/** Top-level keys under which two values of an object differ. */
export const changedKeys = (old: JsonObject, now: JsonObject): readonly string[] =>
  [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) => !equalJson(old[key], now[key]))

/** Whether nothing but these keys differs. */
export const onlyChanged = (old: JsonObject, now: JsonObject, ...keys: readonly string[]): boolean =>
  changedKeys(old, now).every((key) => keys.includes(key))
