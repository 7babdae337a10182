import { Scrolling } from './scrolling.tsx'

/** A value as JSON, to be read. */
export function JsonText({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <Scrolling label={label}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </Scrolling>
  )
}
