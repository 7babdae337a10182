import { type NamedType, namedOf, type TypeRef, type TypeSource } from '../graphql/index.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Schemas that others refer to, by name; a non-null one's name ends in `!` (reference/stored-queries#openapi). */
export type Components = Map<string, JsonSchema>

const builtIn: Readonly<Record<string, string>> = {
  String: 'string',
  ID: 'string',
  Int: 'integer',
  Float: 'number',
  Boolean: 'boolean',
}

const uuidPattern = '[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89aAbB][a-f0-9]{3}-[a-f0-9]{12}'

/** The schema of a value of a GraphQL type; scalars of the database, enums and input objects become components. */
export function valueSchema(
  ref: TypeRef,
  types: TypeSource,
  components: Components,
  inline?: (type: NamedType, nullable: boolean) => JsonSchema | null,
  nullable = true,
): JsonSchema {
  switch (ref.kind) {
    case 'non-null':
      return valueSchema(ref.of, types, components, inline, false)
    case 'list':
      return { items: valueSchema(ref.of, types, components, inline), type: 'array', nullable }
    case 'named': {
      const type = namedOf(ref).find(types)
      const own = inline?.(type, nullable)
      if (own) return own
      const known = type.kind === 'SCALAR' ? builtIn[type.name] : undefined
      if (known !== undefined) return { title: type.name, type: known, nullable }
      const name = `${type.name}${nullable ? '' : '!'}`
      if (!components.has(name)) {
        // before its fields, which may be of the same type
        components.set(name, {})
        components.set(name, componentOf(type, nullable, types, components))
      }
      return { $ref: `#/components/schemas/${name}` }
    }
  }
}

function componentOf(type: NamedType, nullable: boolean, types: TypeSource, components: Components): JsonSchema {
  const described = { title: type.name, ...(type.description !== null && { description: type.description }), nullable }
  switch (type.kind) {
    case 'SCALAR':
      return type.name === 'uuid'
        ? { title: type.name, type: 'string', nullable, pattern: uuidPattern }
        : { title: type.name, nullable }
    case 'ENUM':
      return { ...described, type: 'string', enum: type.values.map(({ name }) => name) }
    case 'INPUT_OBJECT':
      return {
        ...described,
        type: 'object',
        properties: Object.fromEntries(
          [...type.fields.values()].map((field) => [field.name, valueSchema(field.type, types, components)]),
        ),
      }
    case 'OBJECT':
    case 'INTERFACE':
    case 'UNION':
      return described
  }
}
