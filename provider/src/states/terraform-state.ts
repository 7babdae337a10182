import { isRecord, type Json, type JsonObject, recordsIn } from '@svc/schema'
import { StateError } from '../core/index.ts'
import { catalogue, records } from '../resources/index.ts'
import { PROVIDER_NAME, typeNameOf } from '../terraform/index.ts'
import { readStored, type StoredSpelling } from './stored-value.ts'
import type { StateResource, ToolState } from './tool-state.ts'
import { upgraded } from './upgraded.ts'

const spelling: StoredSpelling = { attribute: (name) => name, jsonAsText: true }

/** Whether a JSON file is a state of Terraform (or OpenTofu), of any version. */
export const isTerraformState = (json: JsonObject): boolean => 'terraform_version' in json || 'lineage' in json

/** What a state of version 4 says is there of the metadata. Throws StateError. */
export function readTerraformState(json: JsonObject): ToolState {
  if (typeof json.format_version === 'string' || json.version !== 4 || !Array.isArray(json.resources))
    throw new StateError('it is no state of version 4: `terraform state pull` writes one')
  const known = new Map(catalogue.map((kind) => [typeNameOf(kind.name), kind]))
  const unknown: string[] = []
  const kept = new Set(records.map((kind) => typeNameOf(kind.name)))
  const ours = (json.resources as readonly Json[]).filter(isOurs).filter(({ type }) => !kept.has(String(type)))
  const resources = ours.flatMap((resource): readonly StateResource[] => {
    const kind = known.get(String(resource.type))
    const instances = recordsIn(resource.instances)
    return instances
      .filter(({ deposed }) => deposed === undefined)
      .flatMap((instance) => {
        const attributes = kind && upgraded(kind, Number(instance.schema_version ?? 0), instance.attributes ?? {})
        if (kind && attributes !== null && attributes !== undefined)
          return [{ kind, label: labelOf(resource, instance), ...readStored(kind.attributes, attributes, spelling) }]
        unknown.push(String(resource.type))
        return []
      })
  })
  return { tool: 'Terraform', spelling, resources, unknown: [...new Set(unknown)] }
}

const isOurs = (resource: Json): resource is JsonObject =>
  isRecord(resource) && resource.mode === 'managed' && String(resource.type).startsWith(`${PROVIDER_NAME}_`)

function labelOf({ module, type, name }: JsonObject, { index_key: key }: JsonObject): string {
  const address = [...(typeof module === 'string' ? [module] : []), String(type), String(name)].join('.')
  return key === undefined ? address : `${address}[${JSON.stringify(key)}]`
}
