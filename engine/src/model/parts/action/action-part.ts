import { customTypesAddress } from '@svc/schema'
import type { Claim } from '../../names/claim.ts'
import { foundIn, metadataError } from '../../resolve/resolution-error.ts'
import type { Part, Reading } from '../part.ts'
import { customTypesPart, sourceTypes } from './custom-types-part.ts'
import { resolveAction } from './resolve-action.ts'
import { type ActionTypes, noActionTypes, type ResolvedAction } from './resolved-action.ts'

/** Its fields are named after it: in the mutation root, in the query root, or the result of an asynchronous one in both others. */
export const actionPart: Part<ResolvedAction> = {
  key: 'action',
  type: 'action',
  resolve({ object, input }, reading) {
    const at = `in action "${String(object.value.name)}"; `
    const types = typesOf(reading, at)
    const sources = sourceTypes(input, reading)
    return foundIn(at, () => resolveAction(object, { types, sources, environment: input.settings.environment }))
  },
  definition: ({ value }) => ({ ...value, comment: value.comment ?? null }),
  names: (action) => ({ claims: claimsOf(action), at: ['name'] }),
  same: (a, b) =>
    a.declared === b.declared &&
    a.types === b.types &&
    a.description === b.description &&
    JSON.stringify([a.arguments, a.output]) === JSON.stringify([b.arguments, b.output]),
}

function typesOf(reading: Reading, at: string): ActionTypes {
  const types = reading.value(customTypesPart, '')
  if (types) return types
  if (!reading.isDeclared(customTypesAddress)) return noActionTypes
  throw metadataError(`${at}custom types are inconsistent`, [customTypesAddress])
}

function claimsOf({ name, kind }: ResolvedAction): readonly Claim[] {
  const owner = { kind: 'action', action: name } as const
  const field = { kind: 'root', key: name, name, owner } as const
  switch (kind) {
    case 'query':
      return [{ ...field, root: 'query' }]
    case 'synchronous':
      return [{ ...field, root: 'mutation' }]
    case 'asynchronous':
      return [
        { ...field, root: 'mutation' },
        { ...field, root: 'query' },
        { kind: 'type', name, isRow: false },
      ]
  }
}

/** A role that may use the action it stands below. */
export const actionPermissionPart: Part<string> = {
  key: 'action_permission',
  type: 'action_permission',
  resolve: ({ object }) => String(object.value.role),
}
