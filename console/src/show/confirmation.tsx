import { useId } from 'preact/hooks'
import { useSent } from '../engine/use-sent.ts'
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
  const { isSending, failure, start } = useSent(act, done)
  return (
    <dialog ref={show} aria-labelledby={name} onClose={leave}>
      <h2 id={name}>{title}</h2>
      <p>{effect}</p>
      {failure && <Failure error={failure} />}
      <div class="bar">
        <button type="button" onClick={leave}>
          Leave it
        </button>
        <button type="button" class="primary" disabled={isSending} onClick={start}>
          {label}
        </button>
      </div>
    </dialog>
  )
}
