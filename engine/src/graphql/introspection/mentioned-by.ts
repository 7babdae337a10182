import type { RoleSchema } from '../types/role-schema.ts'
import { type Field, type NamedRef, type NamedType, namedOf } from '../types/type.ts'
import { possibleTypes } from './possible-types.ts'

export const refsOfField = ({ type, args }: Field<unknown>): readonly NamedRef[] => [
  namedOf(type),
  ...[...args.values()].map((argument) => namedOf(argument.type)),
]

const mentioned = new WeakMap<NamedType, readonly NamedRef[]>()

/** The types that a type mentions, each once. */
export function mentionedBy(type: NamedType, schema: RoleSchema): readonly NamedRef[] {
  const known = mentioned.get(type)
  if (known) return known
  const refs = new Map<string, NamedRef>()
  const add = (ref: NamedRef) => {
    if (!refs.has(ref.name)) refs.set(ref.name, ref)
  }
  switch (type.kind) {
    case 'SCALAR':
    case 'ENUM':
    case 'UNION':
      break
    case 'OBJECT':
    case 'INTERFACE':
      for (const field of type.fields.values()) for (const ref of refsOfField(field)) add(ref)
      break
    case 'INPUT_OBJECT':
      for (const field of type.fields.values()) add(namedOf(field.type))
      break
  }
  const isAbstract = type.kind === 'INTERFACE' || type.kind === 'UNION'
  if (isAbstract) for (const possible of possibleTypes(type, schema)) add(namedOf(possible))
  const found = [...refs.values()]
  if (!isAbstract) mentioned.set(type, found)
  return found
}
