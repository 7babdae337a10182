import { useId, useState } from 'preact/hooks'
import { Failure } from './failure.tsx'

interface Props {
  readonly title: string
  readonly effect: string
  readonly label: string
  readonly act: () => Promise<unknown>
  readonly done: () => void
  readonly leave: () => void
}

const show = (dialog: HTMLDialogElement | null): void => {
  if (dialog && !dialog.open) dialog.showModal()
}

/** Says what will happen, and does it once that is wanted. */
export function Confirmation({ title, effect, label, act, done, leave }: Props) {
  const name = useId()
  const [sending, send] = useState(false)
  const [failure, fail] = useState<Error | null>(null)
  const start = () => {
    send(true)
    fail(null)
    act().then(done, (error: Error) => {
      fail(error)
      send(false)
    })
  }
  return (
    <dialog ref={show} aria-labelledby={name} onClose={leave}>
      <h2 id={name}>{title}</h2>
      <p>{effect}</p>
      {failure && <Failure error={failure} />}
      <div class="bar">
        <button type="button" onClick={leave}>
          Leave it
        </button>
        <button type="button" class="primary" disabled={sending} onClick={start}>
          {label}
        </button>
      </div>
    </dialog>
  )
}
