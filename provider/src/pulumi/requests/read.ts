import { isDeepStrictEqual } from 'node:util'
import type { Attributes, Values } from '../../resources/index.ts'
import type { read } from '../protocol/provider-messages.ts'
import { storedMade } from '../state-version.ts'
import type { ResourceType } from '../types.ts'
import { bothMarks, type Marks, sensitiveMarks } from '../values/marks.ts'
import { writeNames } from '../values/named-values.ts'
import type { Properties } from '../values/struct.ts'
import {
  type Answer,
  type Context,
  hider,
  reportDiagnostics,
  resourceType,
  storedValues,
  withVersion,
} from './context.ts'

/**
 * A resource as it is now. Without inputs it is an import, or another client's resource: the id says which one. Nothing
 * but an empty answer says that there is none.
 */
export const answerRead: Answer<typeof read> = async (context, { id, urn, properties, inputs }) => {
  const { provider, run } = context
  const type = resourceType(context, urn)
  const { kind, attributes } = type
  const state = await known(context, type, urn, id, inputs && properties)
  const now = await provider.read(kind, state)
  await reportDiagnostics(context, attributes, urn, now.diagnostics, hider(attributes, properties))
  if (!now.state) return {}
  const found = markedAsBefore(attributes, now.state, properties, inputs)
  return {
    id: typeof now.state.id === 'string' ? now.state.id : id,
    properties: withVersion(type, found, storedMade(properties?.values ?? {})),
    inputs: found,
    refreshBeforeUpdate: run.refreshBeforeUpdate,
  }
}

/** What is known of a resource: its state, or only its identity. */
async function known(
  context: Context,
  type: ResourceType,
  urn: string,
  id: string,
  properties: Properties | undefined,
): Promise<Values> {
  if (properties && Object.keys(properties.values).length > 0) return storedValues(context, type, properties, id)
  const { state, diagnostics } = context.provider.importStub(type.kind, id)
  await reportDiagnostics(context, type.attributes, urn, diagnostics, (text) => text)
  return { ...type.nothing, ...state }
}

/** Where a property with something secret in it has changed, it is unknown what of it is secret now: all of it is. */
function markedAsBefore(
  attributes: Attributes,
  state: Values,
  ...before: readonly (Properties | undefined)[]
): Properties {
  const values = writeNames(attributes, state)
  const former = before.map((old): Marks | null =>
    old?.secrets instanceof Map
      ? new Map(
          [...old.secrets].map(([name, marks]) => [
            name,
            isDeepStrictEqual(values[name], old.values[name]) ? marks : 'secret',
          ]),
        )
      : null,
  )
  return { values, secrets: former.reduce(bothMarks, sensitiveMarks(attributes, values)) }
}
