import { isRecord, type Json, type JsonObject } from '@svc/schema'
import { StateError } from '../core/index.ts'
import { pulumiAttributes, pulumiName, resourceToken } from '../pulumi/index.ts'
import { catalogue } from '../resources/index.ts'
import { readStored, type StoredSpelling } from './stored-value.ts'
import type { StateResource, ToolState } from './tool-state.ts'

const spelling: StoredSpelling = { attribute: pulumiName, jsonAsText: false }

/** Whether a JSON file is an export of a Pulumi stack, or the checkpoint that a file backend keeps. */
export const isPulumiExport = (json: JsonObject): boolean => 'deployment' in json || 'checkpoint' in json

/** What an export of version 3 says is there. Throws StateError. */
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
  const resources = all.filter(isOurs).flatMap((resource): readonly StateResource[] => {
    const kind = known.get(String(resource.type))
    if (!kind) {
      unknown.push(String(resource.type))
      return []
    }
    const stored = readStored(pulumiAttributes(kind.attributes), resource.outputs ?? resource.inputs ?? {}, spelling)
    return [{ kind, label: String(resource.urn).split('::').at(-1) ?? '', ...stored }]
  })
  return { tool: 'Pulumi', spelling, resources, unknown: [...new Set(unknown)] }
}

/** What it made and has, not what it only read or is about to delete. */
const isOurs = (resource: Json): resource is JsonObject =>
  isRecord(resource) &&
  resource.custom === true &&
  resource.external !== true &&
  resource.delete !== true &&
  String(resource.type).startsWith(resourceToken(''))
