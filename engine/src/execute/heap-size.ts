/**
 * About how many bytes plain data takes of V8's heap: an object or list has a header, 8 bytes for each entry, and a
 * text one for each character. Shared parts count wherever they are found.
 */
export function heapSize(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((sum: number, entry) => sum + 8 + heapSize(entry), 32)
  if (value instanceof Map) {
    let size = 200
    for (const [key, entry] of value) size += 24 + heapSize(key) + heapSize(entry)
    return size
  }
  let size = 24
  // names of kinds and the like are the engine's own, and there once
  for (const entry of Object.values(value)) size += 8 + (typeof entry === 'string' ? 0 : heapSize(entry))
  return size
}
