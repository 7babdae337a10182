import { type ActionRoot, actionFields } from '../types/action-types.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { type InputField, type NamedType, namedOf, type TypeRef } from '../types/type.ts'

const roots: readonly ActionRoot[] = ['query', 'mutation', 'subscription']

/** Every type of the actions that a role may use, rows of tables left out: those are listed with their tables. */
export function actionTypes(schema: RoleSchema): readonly NamedType[] {
  const types = new Map<string, NamedType>()
  const add = (ref: TypeRef): void => {
    const named = namedOf(ref)
    if (types.has(named.name)) return
    const type = named.find(schema)
    types.set(named.name, type)
    if (type.kind === 'INPUT_OBJECT') for (const field of type.fields.values()) add(field.type)
    if (type.kind === 'OBJECT')
      for (const field of type.fields.values()) if (!isRelationship(field.meaning)) add(field.type)
  }
  const addArguments = (args: ReadonlyMap<string, InputField<unknown>>) => {
    for (const { type } of args.values()) add(type)
  }
  for (const root of schema.api === 'relay' ? (['mutation'] as const) : roots)
    for (const field of actionFields(schema, root)) {
      add(field.type)
      addArguments(field.args)
    }
  return [...types.values()]
}

const isRelationship = (meaning: unknown): boolean =>
  typeof meaning === 'object' && meaning !== null && 'kind' in meaning && meaning.kind === 'relationship'
