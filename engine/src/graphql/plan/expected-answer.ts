import {
  type Expected,
  expectedList,
  expectedObject,
  expectedScalar,
  expectedWord,
  nonNullExpected,
  type ScalarKind,
} from '../../json-bytes/index.ts'
import {
  possibleTypes,
  publicType,
  type ReadyRemote,
  type RemoteType,
  type RemoteTypeRef,
} from '../../remote-schemas/index.ts'
import type { AskedField, AskedFields } from './asked-fields.ts'

/**
 * Returns what a remote schema has to answer to a field that is requested of it, as its own schema says; names of types
 * are passed on as the public ones (docs/remote-schemas.md).
 */
export function expectedAnswer(remote: ReadyRemote, { types, typenameOf, below }: AskedField): Expected {
  const [type] = types
  if (type && typenameOf.length === 0 && types.every((other) => isAlike(remote, type, other)))
    return ofType(remote, type, below)
  if (types.length > 0) return expectedScalar('any', 'anything')
  const names = [...new Set(typenameOf.flatMap((name) => possibleTypes(remote.types, name)))]
  return nonNullExpected(expectedWord(names, 'String', (name) => publicType(remote.naming, name)))
}

const expectedObjectOf = (remote: ReadyRemote, type: string, fields: AskedFields): Expected =>
  expectedObject(
    [...fields].map(([name, field]) => {
      const { isRequired, isHidden } = field
      return { name, value: expectedAnswer(remote, field), isRequired, isHidden }
    }),
    type,
  )

function ofType(remote: ReadyRemote, ref: RemoteTypeRef, below: AskedFields): Expected {
  switch (ref.kind) {
    case 'non-null':
      return nonNullExpected(ofType(remote, ref.of, below))
    case 'list':
      return expectedList(ofType(remote, ref.of, below))
    case 'named':
      return ofNamed(remote, ref.name, below)
  }
}

function ofNamed(remote: ReadyRemote, name: string, below: AskedFields): Expected {
  const type = remote.types.types.get(name)
  if (type?.kind === 'ENUM') {
    const words = type.values.map((value) => value.name)
    return expectedWord(words, name)
  }
  if (isComposite(type)) return expectedObjectOf(remote, name, below)
  return expectedScalar(builtIn.get(name) ?? 'any', name)
}

/** A scalar of the remote schema's own may be anything. */
const builtIn: ReadonlyMap<string, ScalarKind> = new Map<string, ScalarKind>([
  ['Int', 'integer'],
  ['Float', 'number'],
  ['String', 'string'],
  ['Boolean', 'boolean'],
  ['ID', 'id'],
])

const isComposite = (type: RemoteType | undefined): boolean =>
  type?.kind === 'OBJECT' || type?.kind === 'INTERFACE' || type?.kind === 'UNION'

/** Whether their values have one form: the rule of GraphQL for fields of one response key (SameResponseShape). */
function isAlike(remote: ReadyRemote, a: RemoteTypeRef, b: RemoteTypeRef): boolean {
  if (a.kind !== 'named' && b.kind !== 'named') return a.kind === b.kind && isAlike(remote, a.of, b.of)
  if (a.kind !== 'named' || b.kind !== 'named') return false
  const { types } = remote.types
  return a.name === b.name || (isComposite(types.get(a.name)) && isComposite(types.get(b.name)))
}
