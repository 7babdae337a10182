import { useState } from 'preact/hooks'
import type { Value } from '../../../provider/src/resources/index.ts'

interface Props {
  readonly known: readonly string[]
  readonly chosen: readonly string[]
  readonly change: (to: Value) => void
}

/** Columns to tick, and a field for other names: those of a table that is not tracked yet are unknown. */
export function ColumnChoice({ known, chosen, change }: Props) {
  const [typed, type] = useState('')
  const all = [...new Set([...known, ...chosen])]
  const choose = (columns: readonly string[]) => change(columns.length === 0 ? null : columns)
  const add = () => {
    const name = typed.trim()
    type('')
    if (name !== '' && !chosen.includes(name)) choose([...chosen, name])
  }
  return (
    <div class="columns">
      {all.map((column) => (
        <label key={column}>
          <input
            type="checkbox"
            checked={chosen.includes(column)}
            onChange={({ currentTarget: { checked } }) =>
              choose(checked ? [...chosen, column] : chosen.filter((one) => one !== column))
            }
          />
          {column}
        </label>
      ))}
      <label>
        another
        <input
          value={typed}
          spellcheck={false}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
      </label>
    </div>
  )
}
