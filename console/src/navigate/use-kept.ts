import { useCallback, useState } from 'preact/hooks'

/** A state that a reload does not lose; it goes with the tab. */
export function useKept<T>(name: string, initial: T): readonly [value: T, keep: (to: T) => void] {
  const key = `svc-${name}`
  const [value, set] = useState<T>(() => {
    const kept = sessionStorage.getItem(key)
    return kept === null ? initial : (JSON.parse(kept) as T)
  })
  const keep = useCallback(
    (to: T) => {
      sessionStorage.setItem(key, JSON.stringify(to))
      set(to)
    },
    [key],
  )
  return [value, keep]
}
