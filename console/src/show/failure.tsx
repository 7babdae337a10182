import { EngineError } from '../engine/client.ts'
import type { Loaded } from '../engine/use-loaded.ts'

/** What went wrong, and what helps. */
export function Failure({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>{error.message}</p>
      {error instanceof EngineError && error.remedy && <p>{error.remedy}</p>}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** A part of a page that is loaded: what is shown until then, and when it fails. */
export function Once<T>({
  loaded,
  again,
  children,
}: {
  readonly loaded: Loaded<T>
  readonly again: () => void
  readonly children: (value: T) => preact.ComponentChildren
}) {
  switch (loaded.state) {
    case 'loading':
      return (
        <p class="quiet" role="status">
          Loading …
        </p>
      )
    case 'failed':
      return <Failure error={loaded.error} again={again} />
    case 'loaded':
      return <>{children(loaded.value)}</>
  }
}
