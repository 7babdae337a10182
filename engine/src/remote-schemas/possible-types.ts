import type { RemoteTypes } from './remote-types.ts'

const known = new WeakMap<RemoteTypes, Map<string, readonly string[]>>()

/** Names of the object types that something of a type may be, of those that are there. */
export function possibleTypes(types: RemoteTypes, name: string): readonly string[] {
  const made = known.get(types) ?? new Map<string, readonly string[]>()
  known.set(types, made)
  const found = made.get(name) ?? findPossible(types, name)
  made.set(name, found)
  return found
}

function findPossible({ types }: RemoteTypes, name: string): readonly string[] {
  const type = types.get(name)
  switch (type?.kind) {
    case 'UNION':
      return type.members.filter((member) => types.has(member))
    case 'INTERFACE':
      return [...types.values()].flatMap((one) =>
        one.kind === 'OBJECT' && one.interfaces.includes(name) ? [one.name] : [],
      )
    case 'OBJECT':
      return [name]
    case 'SCALAR':
    case 'ENUM':
    case 'INPUT_OBJECT':
    case undefined:
      return []
  }
}
