import { ownKey } from '@svc/schema'
import {
  publicField,
  publicType,
  type ReadyRemote,
  type RemoteRoots,
  type RemoteType,
  refText,
} from '../../../remote-schemas/index.ts'
import { remoteReadKey } from '../../graph.ts'
import type { Claim, Names } from '../../names/claim.ts'
import type { ClashWords } from '../../names/names.ts'
import { ResolutionError } from '../../resolve/resolution-error.ts'
import type { RemoteRootField } from '../../root-owner.ts'
import type { Part } from '../part.ts'

/** A remote schema as its server described it (reference/remote-schemas). */
export const remoteSchemaPart: Part<ReadyRemote> = {
  key: 'remote_schema',
  type: 'remote_schema',
  resolve({ object, input }, reading) {
    const name = String(object.value.name)
    reading.note(remoteReadKey(name))
    const state = input.remotes?.get(name)
    if (state?.status === 'ready') return state
    const error = state?.error
    throw new ResolutionError(error?.message ?? 'the remote schema has not been read', {
      cause: 'database',
      ...(error && { refusal: error, message: error.internal ?? error.message }),
    })
  },
  names: namesOf,
  same: (a, b) => a === b,
}

export const remoteSchemaId = (name: string): string => ownKey('remote_schema', { name })

const rootNames = ['query', 'mutation', 'subscription'] as const satisfies readonly (keyof RemoteRoots)[]

function namesOf(remote: ReadyRemote): Names {
  const { types, naming } = remote
  const isRoot = (name: string) => rootNames.some((root) => types.roots[root] === name)
  const claims: Claim[] = []
  for (const root of rootNames) {
    const type = types.types.get(types.roots[root] ?? '')
    if (type?.kind !== 'OBJECT') continue
    const fields = naming.namespace === null ? [...type.fields.keys()] : [null]
    for (const field of fields) {
      const name = field === null ? (naming.namespace ?? '') : publicField(naming, type.name, field)
      const owner: RemoteRootField = { kind: 'remote', remote: remote.name, field }
      claims.push({ kind: 'root', root, key: name, name, owner })
    }
  }
  for (const type of types.types.values()) {
    // a scalar of the same name is the same scalar; roots without a namespace become part of ours
    if (type.kind === 'SCALAR' || (isRoot(type.name) && naming.namespace === null)) continue
    claims.push({
      kind: 'type',
      name: publicType(naming, type.name),
      isRow: false,
      shared: definitionText(type, remote),
    })
  }
  return { claims, at: [], words }
}

/** reference/remote-schemas#names. */
const words: ClashWords = {
  text({ what, names: [name = ''], owner }) {
    if (what === 'type') return `Conflicting types: ${name}`
    return owner?.type === 'remote_schema'
      ? `Duplicate remote field '${name}'`
      : `Field cannot be overwritten by remote field '${name}'`
  },
  code: 'remote-schema-conflicts',
  conflict: {
    code: 'remote-schema-conflicts',
    message: 'node {name} already exists in current graphql schema',
  },
}

/** Types of one name may be there several times where this text is the same (reference/remote-schemas#names). */
function definitionText(type: RemoteType, { naming }: ReadyRemote): string {
  const ref = (of: Parameters<typeof refText>[0]) => refText(of).replace(/\w+/, (name) => publicType(naming, name))
  switch (type.kind) {
    case 'SCALAR':
      return 'scalar'
    case 'ENUM':
      return `enum ${type.values
        .map(({ name }) => name)
        .sort()
        .join(' ')}`
    case 'UNION':
      return `union ${type.members
        .map((name) => publicType(naming, name))
        .sort()
        .join(' ')}`
    case 'INPUT_OBJECT':
      return `input ${[...type.fields.values()]
        .map((field) => `${field.name}:${ref(field.type)}=${field.defaultValue}`)
        .sort()
        .join(' ')}`
    case 'OBJECT':
    case 'INTERFACE': {
      const fields = [...type.fields.values()].map((field) => {
        const args = [...field.args.values()].map((one) => `${one.name}:${ref(one.type)}=${one.defaultValue}`)
        return `${publicField(naming, type.name, field.name)}(${args.sort().join(' ')}):${ref(field.type)}`
      })
      return `${type.kind} ${type.interfaces
        .map((name) => publicType(naming, name))
        .sort()
        .join('&')} ${fields.sort().join(' ')}`
    }
  }
}
