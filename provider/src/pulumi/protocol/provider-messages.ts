/** The messages of `pulumirpc.ResourceProvider` that this provider reads and writes, by their field numbers. */
import {
  bool,
  double,
  type Encodable,
  enumeration,
  many,
  mapOf,
  message,
  one,
  text,
  texts,
} from '../../protobuf/index.ts'
import { struct } from '../values/struct.ts'
import { empty } from './early-messages.ts'

const properties = (number: number) => one(number, () => struct)

export const getSchema = { request: empty, response: message({ schema: text(1) }) }

const checkFailure = message({ property: text(1), reason: text(2) })
export type CheckFailure = Encodable<typeof checkFailure>

/** Of CheckConfig too. */
export const check = {
  request: message({ urn: text(1), olds: properties(2), news: properties(3) }),
  response: message({ inputs: properties(1), failures: many(2, () => checkFailure) }),
}

const diffKinds = ['add', 'add-replace', 'delete', 'delete-replace', 'update', 'update-replace'] as const
export type DiffKind = (typeof diffKinds)[number]
const propertyDiff = message({ kind: enumeration(1, diffKinds), inputDiff: bool(2) })

/** Of DiffConfig too. */
export const diff = {
  request: message({ id: text(1), urn: text(2), olds: properties(3), news: properties(4) }),
  response: message({
    replaces: texts(1),
    deleteBeforeReplace: bool(3),
    changes: enumeration(4, ['unknown', 'none', 'some']),
    diffs: texts(5),
    detailedDiff: mapOf(6, () => propertyDiff),
    hasDetailedDiff: bool(7),
  }),
}

export const configure = {
  request: message({ args: properties(2), id: text(7), urn: text(8) }),
  response: message({
    acceptSecrets: bool(1),
    supportsPreview: bool(2),
    acceptResources: bool(3),
    acceptOutputs: bool(4),
  }),
}

export const create = {
  request: message({ urn: text(1), properties: properties(2), timeout: double(3), preview: bool(4) }),
  response: message({ id: text(1), properties: properties(2), refreshBeforeUpdate: bool(3) }),
}

export const read = {
  request: message({
    id: text(1),
    urn: text(2),
    properties: properties(3),
    inputs: properties(4),
    timeout: double(10),
  }),
  response: message({ id: text(1), properties: properties(2), inputs: properties(3), refreshBeforeUpdate: bool(4) }),
}

export const update = {
  request: message({
    id: text(1),
    urn: text(2),
    olds: properties(3),
    news: properties(4),
    timeout: double(5),
    preview: bool(7),
  }),
  response: message({ properties: properties(1), refreshBeforeUpdate: bool(2) }),
}

export const remove = {
  request: message({ id: text(1), urn: text(2), properties: properties(3), timeout: double(4) }),
  response: empty,
}

export const invoke = {
  request: message({ token: text(1), args: properties(2) }),
  response: message({ return: properties(1), failures: many(2, () => checkFailure) }),
}

export const cancel = { request: empty, response: empty }
