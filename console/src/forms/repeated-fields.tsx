import { useState } from 'preact/hooks'
import type { Attribute, AttributeType, Value, Values } from '../../../provider/src/resources/index.ts'
import { AttributeField, blankOf, type FieldProps } from './attribute-field.tsx'

const blank = (type: AttributeType): Value => (type.kind === 'object' ? blankOf(type.attributes) : '')

/** What stands in a list or a map, as an attribute of its own. */
const inside = (type: AttributeType): Attribute => ({
  type,
  description: '',
  presence: 'optional',
  replace: false,
  sensitive: false,
  writeOnly: false,
})

/** A list of objects: one group of fields for each. */
export function ListField({
  of,
  items,
  change,
  ...props
}: FieldProps & { readonly of: AttributeType; readonly items: readonly Value[] }) {
  const keep = (to: readonly Value[]) => change(to.length === 0 ? null : to)
  return (
    <>
      {items.map((item, index) => (
        <div class="item" key={index}>
          <AttributeField
            {...props}
            name={`${props.name} ${index + 1}`}
            attribute={inside(of)}
            value={item}
            change={(to) => keep(items.map((one, i) => (i === index ? (to ?? blank(of)) : one)))}
            problems={[]}
          />
          <button type="button" onClick={() => keep(items.filter((_, i) => i !== index))}>
            Remove {props.name} {index + 1}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => keep([...items, blank(of)])}>
        Add to {props.name}
      </button>
    </>
  )
}

/** A map: a key with its value, and one to add. */
export function MapField({
  of,
  values,
  change,
  ...props
}: FieldProps & { readonly of: AttributeType; readonly values: Values }) {
  const [key, write] = useState('')
  const keep = (to: Values) => change(Object.keys(to).length === 0 ? null : to)
  const add = () => {
    if (key !== '' && !Object.hasOwn(values, key)) keep({ ...values, [key]: blank(of) })
    write('')
  }
  const known = props.table ? props.context.columnsOf(props.table) : []
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <div class="item" key={name}>
          <AttributeField
            {...props}
            name={name}
            attribute={inside(of)}
            value={value}
            change={(to) => keep({ ...values, [name]: to ?? blank(of) })}
            problems={[]}
          />
          <button
            type="button"
            onClick={() => keep(Object.fromEntries(Object.entries(values).filter(([other]) => other !== name)))}
          >
            Remove {name}
          </button>
        </div>
      ))}
      <div class="bar">
        <input
          aria-label={`A key of ${props.name}`}
          placeholder="key"
          value={key}
          list={`${props.name}-keys`}
          spellcheck={false}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <datalist id={`${props.name}-keys`}>
          {known.map((column) => (
            <option key={column} value={column} />
          ))}
        </datalist>
        <button type="button" onClick={add}>
          Add to {props.name}
        </button>
      </div>
    </>
  )
}
