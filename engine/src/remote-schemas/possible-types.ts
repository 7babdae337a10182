import { keptForEach } from '../kept-for.ts'
import type { RemoteTypes } from './remote-types.ts'

/** Names of the object types that something of a type may be, of those that are there. */
export const possibleTypes = keptForEach(({ types }: RemoteTypes, name: string): readonly string[] => {
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
})
