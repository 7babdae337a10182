import { useCallback, useEffect, useState } from 'preact/hooks'

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly value: T }
  | { readonly state: 'failed'; readonly error: Error }

/** What `load` resolves to, loaded again when one of `inputs` changes or `again` is called; what comes too late is dropped. */
export function useLoaded<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[],
): readonly [loaded: Loaded<T>, again: () => void] {
  const [loaded, set] = useState<Loaded<T>>({ state: 'loading' })
  const [round, next] = useState(0)
  useEffect(() => {
    let counts = true
    const keep = (to: Loaded<T>) => counts && set(to)
    load().then(
      (value) => keep({ state: 'loaded', value }),
      (error: Error) => keep({ state: 'failed', error }),
    )
    return () => {
      counts = false
    }
  }, [...inputs, round])
  return [loaded, useCallback(() => next((was) => was + 1), [])]
}
