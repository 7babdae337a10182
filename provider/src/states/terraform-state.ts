import { type JsonObject, recordsIn } from '@svc/schema'
import { StateError } from '../core/index.ts'
import { PROVIDER_NAME, typeNameOf } from '../terraform/index.ts'
import { readStored, type StoredSpelling } from './stored-value.ts'
import { knownResources, type StoredResource, type ToolState, upgraded } from './tool-state.ts'

const spelling: StoredSpelling = { attribute: (name) => name, jsonAsText: true }

/** Whether a JSON file is a state of Terraform (or OpenTofu), of any version. */
export const isTerraformState = (json: JsonObject): boolean => 'terraform_version' in json || 'lineage' in json

/** What a state of version 4 says is there of the metadata. Throws StateError. */
export function readTerraformState(json: JsonObject): ToolState {
  if (typeof json.format_version === 'string' || json.version !== 4 || !Array.isArray(json.resources))
    throw new StateError('it is no state of version 4: `terraform state pull` writes one')
  const found = recordsIn(json.resources)
    .filter(isOurs)
    .flatMap((resource) => recordsIn(resource.instances).flatMap((instance) => storedResource(resource, instance)))
  return { tool: 'Terraform', spelling, ...knownResources(found, ({ name }) => typeNameOf(name)) }
}

function storedResource(resource: JsonObject, instance: JsonObject): readonly StoredResource[] {
  if (instance.deposed !== undefined) return []
  const read: StoredResource['read'] = (kind) => {
    const state = upgraded(kind, Number(instance.schema_version ?? 0), instance.attributes ?? {})
    return state === null ? null : readStored(kind.attributes, state, spelling)
  }
  return [{ type: String(resource.type), label: labelOf(resource, instance), read }]
}

const isOurs = ({ mode, type }: JsonObject): boolean =>
  mode === 'managed' && String(type).startsWith(`${PROVIDER_NAME}_`)

function labelOf({ module, type, name }: JsonObject, { index_key: key }: JsonObject): string {
  const address = [...(typeof module === 'string' ? [module] : []), String(type), String(name)].join('.')
  return key === undefined ? address : `${address}[${JSON.stringify(key)}]`
}
