import { isRecord } from '@svc/schema'
import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql'
import { type NamedType, nonNull, stringRef, type TypeRef, type TypeSource } from '../graphql/index.ts'
import { type Components, type JsonSchema, valueSchema } from './json-schema.ts'

/** The properties of an object that a selection set selects, by response key. */
export function selectedProperties(
  { selections }: SelectionSetNode,
  type: NamedType,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  types: TypeSource,
  components: Components,
): Record<string, JsonSchema> {
  const properties: Record<string, JsonSchema> = Object.create(null)
  for (const selection of selections) {
    switch (selection.kind) {
      case Kind.FIELD: {
        const name = selection.name.value
        const ref = name === '__typename' ? nonNull(stringRef) : fieldType(type, name)
        if (ref === null) break
        const inside = (named: NamedType, nullable: boolean): JsonSchema | null =>
          selection.selectionSet
            ? {
                title: named.name,
                type: 'object',
                ...(named.description !== null && { description: named.description }),
                nullable,
                properties: selectedProperties(selection.selectionSet, named, fragments, types, components),
              }
            : null
        const as = selection.alias?.value ?? name
        properties[as] = merged(properties[as], valueSchema(ref, types, components, inside))
        break
      }
      case Kind.INLINE_FRAGMENT:
        assign(properties, selectedProperties(selection.selectionSet, type, fragments, types, components))
        break
      case Kind.FRAGMENT_SPREAD: {
        const fragment = fragments.get(selection.name.value)
        if (fragment) assign(properties, selectedProperties(fragment.selectionSet, type, fragments, types, components))
      }
    }
  }
  return properties
}

function assign(properties: Record<string, JsonSchema>, more: Readonly<Record<string, JsonSchema>>): void {
  for (const [name, schema] of Object.entries(more)) properties[name] = merged(properties[name], schema)
}

/** Selections of one response key are one value. */
function merged(known: unknown, schema: JsonSchema): JsonSchema {
  if (!isRecord(known)) return schema
  const { items, properties } = schema
  if (isRecord(items)) return { ...schema, items: merged(known.items, items) }
  if (!isRecord(properties) || !isRecord(known.properties)) return schema
  const all: Record<string, JsonSchema> = Object.assign(Object.create(null), known.properties)
  assign(all, properties as Record<string, JsonSchema>)
  return { ...schema, properties: all }
}

function fieldType(type: NamedType, name: string): TypeRef | null {
  return type.kind === 'OBJECT' || type.kind === 'INTERFACE' ? (type.fields.get(name)?.type ?? null) : null
}
