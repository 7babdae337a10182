import type { JsonObject } from '@svc/schema'
import { argumentScalars, asksClient } from '../../names/argument-types.ts'
import type { Claim, Names } from '../../names/claim.ts'
import { rootKey } from '../../naming/source-naming.ts'
import { refuseUnsupported } from '../../resolve/unsupported.ts'
import type { ResolvedFunction } from '../../resolved-function.ts'
import type { RootFieldOwner } from '../../root-owner.ts'
import type { Part, Reading } from '../part.ts'
import { resolveTrackedFunction } from './resolve-tracked-function.ts'

/**
 * A tracked function by itself (reference/metadata-operations#functions); the roles that may call it are its children.
 */
export const functionPart: Part<ResolvedFunction, 'function'> = {
  key: 'function',
  type: 'function',
  isCascaded: true,
  resolve({ at, value }, { source, tables }) {
    refuseUnsupported(source.object, source.state, 'functions')
    const place = {
      sourceOwn: source.own,
      source: source.name,
      own: at.own,
      naming: source.naming,
      types: source.state.backend.types,
    }
    return resolveTrackedFunction(value, place, tables)
  },
  names: namesOf,
  definition: ({ value }) => value.function as JsonObject,
}

function namesOf(
  { id, naming, field, aggregateField, exposedAs, arguments: given, argumentsName }: ResolvedFunction,
  { source }: Reading,
): Names {
  const fieldClaim = (name: string, kind: 'function' | 'function_aggregate'): Claim => {
    const owner: RootFieldOwner = { kind, function: id }
    return { kind: 'root', root: exposedAs, key: rootKey(naming, name), name, owner }
  }
  const claims = [
    fieldClaim(field, 'function'),
    // a mutation has no aggregate
    ...(aggregateField === null || exposedAs === 'mutation' ? [] : [fieldClaim(aggregateField, 'function_aggregate')]),
    ...(asksClient(given) ? [{ kind: 'type', name: argumentsName, isRow: false } as const] : []),
  ]
  return { claims, at: ['function'], scalars: argumentScalars(given, source.state.backend.types) }
}
