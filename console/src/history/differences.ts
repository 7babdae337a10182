import { isObject, type Json } from '../engine/client.ts'
import type { Difference } from '../show/differing.tsx'

/** Where two values differ, as deep as both are objects; lists are compared whole. */
export function differences(old: Json | undefined, to: Json | undefined, path = ''): readonly Difference[] {
  if (JSON.stringify(old) === JSON.stringify(to)) return []
  if (!isObject(old) || !isObject(to)) return [{ path, old, to }]
  const keys = [...new Set([...Object.keys(old), ...Object.keys(to)])]
  return keys.flatMap((key) => differences(old[key], to[key], path ? `${path}.${key}` : key))
}
