import { isRecord, type Json, type JsonObject } from '@svc/schema'
import { StateError } from '../core/index.ts'
import { pulumiAttributes, pulumiName, readFormerNames, resourceToken, storedVersion } from '../pulumi/index.ts'
import { catalogue, type ResourceKind, records, type Values } from '../resources/index.ts'
import { readStored, type Stored, type StoredSpelling } from './stored-value.ts'
import type { StateResource, ToolState } from './tool-state.ts'
import { upgraded } from './upgraded.ts'

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
  const known = new Map(catalogue.map((kind) => [resourceToken(kind.kind), kind]))
  const unknown: string[] = []
  const all = Array.isArray(deployment.resources) ? (deployment.resources as readonly Json[]) : []
  const kept = new Set(records.map(({ kind }) => resourceToken(kind)))
  const ours = all.filter(isOurs).filter(({ type }) => !kept.has(String(type)))
  const resources = ours.flatMap((resource): readonly StateResource[] => {
    const kind = known.get(String(resource.type))
    const stored = kind && readProperties(kind, resource.outputs ?? resource.inputs ?? {})
    if (!kind || !stored) {
      unknown.push(String(resource.type))
      return []
    }
    return [{ kind, label: String(resource.urn).split('::').at(-1) ?? '', ...stored }]
  })
  return { tool: 'Pulumi', spelling, resources, unknown: [...new Set(unknown)] }
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
const isOurs = (resource: Json): resource is JsonObject =>
  isRecord(resource) &&
  resource.custom === true &&
  resource.external !== true &&
  resource.delete !== true &&
  String(resource.type).startsWith(resourceToken(''))
