import type { DataDeclaration, KindDeclaration, Provider } from '../../core/index.ts'
import type { AnswerTo, Decoded, Rpc } from '../../protobuf/index.ts'
import type { Attributes, Values } from '../../resources/index.ts'
import type { dynamicValue } from '../protocol/provider-messages.ts'
import type { ProviderTypes } from '../types.ts'
import { decodeValues, encodeValues } from '../values/dynamic-value.ts'

/** What every request is answered with. */
export interface Context {
  readonly provider: Provider
  readonly types: ProviderTypes
}

export type Answer<R extends Rpc> = AnswerTo<R, Context>

/** Throws Error for a name that the schema does not have: Terraform requests none. */
export function resourceType({ types }: Context, typeName: string): KindDeclaration {
  const type = types.resources.get(typeName)
  if (!type) throw new Error(`there is no resource type ${typeName}`)
  return type
}

export function dataType({ types }: Context, typeName: string): DataDeclaration {
  const type = types.dataSources.get(typeName)
  if (!type) throw new Error(`there is no data source ${typeName}`)
  return type
}

type Sent = Decoded<typeof dynamicValue> | undefined

/** Null for what is not there. Throws as decodeValues does. */
export const received = (attributes: Attributes, value: Sent): Values | null =>
  value ? decodeValues(attributes, value.msgpack) : null

/** Throws Error where nothing was sent. */
export function receivedValues(attributes: Attributes, value: Sent): Values {
  const values = received(attributes, value)
  if (!values) throw new Error('Terraform sent no values')
  return values
}

export const sent = (attributes: Attributes, values: Values | null) => ({ msgpack: encodeValues(attributes, values) })
