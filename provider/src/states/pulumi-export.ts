import { isRecord, type Json, type JsonObject, recordsIn } from '@svc/schema'
import { StateError } from '../core/index.ts'
import { pulumiAttributes, pulumiName, readFormerNames, resourceToken, storedVersion } from '../pulumi/index.ts'
import type { ResourceKind, Values } from '../resources/index.ts'
import { readStored, type Stored, type StoredSpelling } from './stored-value.ts'
import { knownResources, type ToolState, upgraded } from './tool-state.ts'

const spelling: StoredSpelling = { attribute: pulumiName, jsonAsText: false }

/** Whether a JSON file is an export of a Pulumi stack, or the checkpoint that a file backend stores. */
export const isPulumiExport = (json: JsonObject): boolean => 'deployment' in json || 'checkpoint' in json

/** What an export of version 3 says is there of the metadata. Throws StateError. */
export function readPulumiExport(json: JsonObject): ToolState {
  const deployment = isRecord(json.deployment)
    ? json.deployment
    : isRecord(json.checkpoint) && isRecord(json.checkpoint.latest)
      ? json.checkpoint.latest
      : null
  if (json.version !== 3 || deployment === null)
    throw new StateError('it is no export of version 3: `pulumi stack export` writes one')
  const found = recordsIn(deployment.resources)
    .filter(isOurs)
    .map(({ type, urn, inputs, outputs }) => ({
      type: String(type),
      label: String(urn).split('::').at(-1) ?? '',
      read: (kind: ResourceKind) => readProperties(kind, outputs ?? inputs ?? {}),
    }))
  return { tool: 'Pulumi', spelling, ...knownResources(found, ({ kind }) => resourceToken(kind)) }
}

/** Null where it was written by a newer plugin. */
function readProperties(kind: ResourceKind, properties: Json): Stored | null {
  const attributes = pulumiAttributes(kind.attributes)
  const version = storedVersion(properties as Values)
  if (version === kind.version) return readStored(attributes, properties, spelling)
  const state = upgraded(kind, version, readFormerNames(attributes, properties as Values) as Json)
  return state === null ? null : readStored(attributes, state, { ...spelling, attribute: (name) => name })
}

/** What it made and has, not what it only read or is about to delete. */
const isOurs = (resource: JsonObject): boolean =>
  resource.custom === true &&
  resource.external !== true &&
  resource.delete !== true &&
  String(resource.type).startsWith(resourceToken(''))
