import { useId } from 'preact/hooks'
import {
  type Attribute,
  type Attributes,
  isValues,
  type Path,
  type Value,
  type Values,
} from '../../../provider/src/resources/index.ts'
import { Editor } from '../edit/editor.tsx'
import { Prose } from '../show/prose.tsx'
import { ColumnChoice } from './column-choice.tsx'
import { conditionCompletion, type FormContext } from './form-context.ts'
import { ListField, MapField } from './repeated-fields.tsx'
import { TableChoice } from './table-choice.tsx'

export interface FieldProps {
  readonly name: string
  readonly attribute: Attribute
  readonly value: Value
  readonly change: (to: Value) => void
  /** The table whose columns are meant. */
  readonly table: Values | null
  readonly context: FormContext
  readonly problems: readonly { readonly path: Path; readonly message: string }[]
}

/** An attribute of an object, as its type says: a text, a choice, columns, a condition, or attributes of its own. */
export function AttributeField(props: FieldProps) {
  const { name, attribute, problems } = props
  const id = useId()
  const [problem] = problems.filter(({ path }) => path.length <= 1)
  const control = <Control {...props} id={id} />
  const about = (
    <>
      {attribute.description && (
        <p class="quiet about" id={`${id}-about`}>
          <Prose text={attribute.description} />
        </p>
      )}
      {problem && (
        <p class="wrong" id={`${id}-problem`}>
          {name} {problem.message}
        </p>
      )}
    </>
  )
  const title = (
    <>
      {name}
      {attribute.presence === 'required' && <span class="quiet"> required</span>}
    </>
  )
  if (isGroup(props))
    return (
      <fieldset class="attribute">
        <legend>{title}</legend>
        {about}
        {control}
      </fieldset>
    )
  return (
    <div class="attribute">
      <label for={id}>{title}</label>
      {control}
      {about}
    </div>
  )
}

/** Of several controls, which a label of one could not name. */
const isGroup = ({ name, attribute: { type } }: FieldProps): boolean =>
  type.kind === 'json' ||
  type.kind === 'map' ||
  type.kind === 'object' ||
  ((type.kind === 'list' || type.kind === 'set') && (type.of.kind !== 'string' || isColumns(name)))

const isColumns = (name: string) => /columns$|^payload$/.test(name)

function Control(props: FieldProps & { readonly id: string }) {
  const { name, attribute, value, change, table, context, id, problems } = props
  const { type } = attribute
  const described = `${id}-about${problems.length > 0 ? ` ${id}-problem` : ''}`
  const shared = { id, 'aria-describedby': described }
  const text = typeof value === 'string' ? value : ''
  switch (type.kind) {
    case 'string': {
      const choices = name === 'source' ? context.sources : type.choices
      const initial = String(attribute.default ?? '')
      if (choices)
        return (
          <select {...shared} value={text} onChange={({ currentTarget }) => change(currentTarget.value || null)}>
            <option value="">{initial || 'none'}</option>
            {choices
              .filter((one) => one !== initial)
              .map((one) => (
                <option key={one}>{one}</option>
              ))}
          </select>
        )
      const typed = {
        ...shared,
        value: text,
        placeholder: initial,
        autocomplete: 'off',
        spellcheck: false,
        onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
          change(currentTarget.value || null),
      }
      if (attribute.sensitive) return <input {...typed} type="password" />
      if (name !== 'role') return <input {...typed} />
      return (
        <>
          <input {...typed} list={`${id}-roles`} />
          <datalist id={`${id}-roles`}>
            {context.roles.map((role) => (
              <option key={role} value={role} />
            ))}
          </datalist>
        </>
      )
    }
    case 'boolean': {
      const initial = attribute.default === true
      return (
        <input
          {...shared}
          type="checkbox"
          checked={typeof value === 'boolean' ? value : initial}
          onChange={({ currentTarget: { checked } }) => change(checked === initial ? null : checked)}
        />
      )
    }
    case 'integer':
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          step={type.kind === 'integer' ? 1 : 'any'}
          value={typeof value === 'number' ? value : ''}
          placeholder={String(attribute.default ?? '')}
          onInput={({ currentTarget }) => change(currentTarget.value === '' ? null : Number(currentTarget.value))}
        />
      )
    case 'json':
      return (
        <Editor
          label={name}
          language="json"
          value={text}
          change={(to) => change(to.trim() === '' ? null : to)}
          complete={conditionCompletion(
            table ? context.columnsOf(table) : [],
            table ? context.relationshipsOf(table) : [],
            context.headerPrefix,
          )}
        />
      )
    case 'list':
    case 'set': {
      const items = Array.isArray(value) ? (value as readonly Value[]) : []
      if (type.of.kind !== 'string') return <ListField {...props} of={type.of} items={items} />
      const texts = items.map(String)
      if (isColumns(name))
        return <ColumnChoice known={table ? context.columnsOf(table) : []} chosen={texts} change={change} />
      return (
        <textarea
          {...shared}
          rows={Math.max(2, texts.length)}
          value={texts.join('\n')}
          placeholder="one a line"
          onChange={({ currentTarget }) => {
            const lines = currentTarget.value.split('\n').filter((line) => line.trim() !== '')
            change(lines.length === 0 ? null : lines)
          }}
        />
      )
    }
    case 'map':
      return <MapField {...props} of={type.of} values={isValues(value) ? value : {}} />
    case 'object':
      if (type.attributes.schema && type.attributes.name)
        return (
          <TableChoice
            id={id}
            label={name}
            tables={context.tables}
            value={isValues(value) ? value : null}
            change={change}
          />
        )
      return (
        <Fields
          attributes={type.attributes}
          values={isValues(value) ? value : {}}
          change={(to) => change(Object.values(to).every((one) => one === null) ? null : to)}
          table={table}
          context={context}
          problems={problems.map((problem) => ({ ...problem, path: problem.path.slice(1) }))}
        />
      )
  }
}

interface FieldsProps extends Omit<FieldProps, 'name' | 'attribute' | 'value' | 'change'> {
  readonly attributes: Attributes
  readonly values: Values
  readonly change: (to: Values) => void
  /** Those that are folded away until they are opened. */
  readonly isFolded?: (name: string) => boolean
}

/** Several attributes; those that few declare are folded away. */
export function Fields({
  attributes,
  values,
  change,
  table,
  isFolded = () => false,
  problems,
  ...others
}: FieldsProps) {
  const shown = Object.entries(attributes).filter(([, { writeOnly }]) => !writeOnly)
  const field = ([name, attribute]: readonly [string, Attribute]) => (
    <AttributeField
      key={name}
      {...others}
      name={name}
      attribute={attribute}
      value={values[name] ?? null}
      change={(to) => change({ ...blankOf(attributes), ...values, [name]: to })}
      table={besides(values) ?? table}
      problems={problems.filter(({ path }) => path[0] === name)}
    />
  )
  const folded = shown.filter(([name]) => isFolded(name))
  return (
    <>
      {shown.filter(([name]) => !isFolded(name)).map(field)}
      {folded.length > 0 && (
        <details>
          <summary>More: {folded.map(([name]) => name).join(', ')}</summary>
          {folded.map(field)}
        </details>
      )}
    </>
  )
}

export const blankOf = (attributes: Attributes): Values =>
  Object.fromEntries(Object.keys(attributes).map((name) => [name, null]))

/** The table that is named next to a list of columns. */
const besides = ({ table }: Values): Values | null => (isValues(table) ? table : null)
