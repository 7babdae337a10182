import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { useMemo, useState } from 'preact/hooks'

/** The types of a schema, to search through and to walk. */
export function Documentation({ schema }: { readonly schema: GraphQLSchema }) {
  const [wanted, search] = useState('')
  const [name, show] = useState('')
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter((type) => !!type)
  const types = useMemo(
    () =>
      Object.keys(schema.getTypeMap())
        .filter((one) => !one.startsWith('__'))
        .sort(),
    [schema],
  )
  const found = wanted ? types.filter((one) => one.toLowerCase().includes(wanted.toLowerCase())).slice(0, 100) : []
  const type = schema.getType(name) ?? roots[0]
  return (
    <section class="documentation" aria-label="Documentation">
      <label>
        Find a type
        <input type="search" value={wanted} onInput={({ currentTarget }) => search(currentTarget.value)} />
      </label>
      <p>
        {[...roots.map((root) => root.name), ...found].map((one) => (
          <button key={one} type="button" class="plain" onClick={() => show(one)}>
            {one}
          </button>
        ))}
      </p>
      {type && <TypeText type={type} show={show} />}
    </section>
  )
}

function TypeText({ type, show }: { readonly type: GraphQLNamedType; readonly show: (name: string) => void }) {
  return (
    <>
      <h2>{type.name}</h2>
      {type.description && <p class="quiet">{type.description}</p>}
      <dl>
        {membersOf(type).map(({ name, typeText, description }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              {typeText && (
                <button type="button" class="plain" onClick={() => show(typeText.replace(/[[\]!]/g, ''))}>
                  {typeText}
                </button>
              )}
            </dt>
            {description && <dd class="quiet">{description}</dd>}
          </div>
        ))}
      </dl>
    </>
  )
}

interface Member {
  readonly name: string
  readonly typeText: string | null
  readonly description: string | null | undefined
}

function membersOf(type: GraphQLNamedType): readonly Member[] {
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    return Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields()).map((field) => {
      const args = 'args' in field ? field.args.map((one) => `${one.name}: ${one.type}`) : []
      const name = args.length === 0 ? field.name : `${field.name}(${args.join(', ')})`
      return { name, typeText: String(field.type), description: field.description }
    })
  if (isEnumType(type)) return type.getValues().map(({ name, description }) => ({ name, typeText: null, description }))
  if (isUnionType(type)) return type.getTypes().map(({ name }) => ({ name, typeText: name, description: null }))
  return []
}
