import type { Value, Values } from '../../../provider/src/resources/index.ts'
import { shownTable, type TableName } from '../engine/metadata.ts'
import { tableValues } from './form-context.ts'

interface Props {
  readonly id: string
  readonly label: string
  readonly tables: readonly TableName[]
  readonly value: Values | null
  readonly change: (to: Value) => void
}

/** A table or function by its name, those that are known are offered. */
export function TableChoice({ id, label, tables, value, change }: Props) {
  const shown = value === null ? '' : textOf(value)
  const read = (text: string) => {
    const known = tables.find((name) => shownTable(name) === text)
    if (text === '') change(null)
    else if (known !== undefined) change(tableValues(known))
    else {
      const [schema = '', ...rest] = text.split('.')
      change(rest.length === 0 ? tableValues(text) : { schema, dataset: null, name: rest.join('.') })
    }
  }
  return (
    <>
      <input
        aria-label={`Name of ${label}`}
        value={shown}
        list={`${id}-tables`}
        autocomplete="off"
        spellcheck={false}
        placeholder="schema.name, or a name alone"
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
      <datalist id={`${id}-tables`}>
        {tables.map((name) => (
          <option key={shownTable(name)} value={shownTable(name)} />
        ))}
      </datalist>
    </>
  )
}

const textOf = ({ schema, dataset, name }: Values): string => {
  const known: Record<string, string> = { name: String(name ?? '') }
  if (typeof schema === 'string') known.schema = schema
  if (typeof dataset === 'string') known.dataset = dataset
  return shownTable(known)
}
