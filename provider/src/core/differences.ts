import { equalJson, isRecord, type Json } from '@svc/schema'

/** One place where two values differ; undefined on the side that has nothing there. */
export interface Difference {
  readonly path: readonly string[]
  readonly old: Json | undefined
  readonly new: Json | undefined
}

/** Returns where two JSON values differ, as deep as objects go; a list is compared as a whole. */
export function differences(
  old: Json | undefined,
  now: Json | undefined,
  path: readonly string[] = [],
): readonly Difference[] {
  if (equalJson(old, now)) return []
  if (!isRecord(old) || !isRecord(now)) return [{ path, old, new: now }]
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return keys.flatMap((key) => differences(own(old, key), own(now, key), [...path, key]))
}

const own = (json: Readonly<Record<string, Json>>, key: string): Json | undefined =>
  Object.hasOwn(json, key) ? json[key] : undefined
