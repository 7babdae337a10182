import './attribute-meta.ts'
import type { Json, JsonObject } from '@svc/schema'
import { z } from 'zod'
import type { Codec, Declaration } from './define-resource.ts'
import { comment, forRole, inTable, isObject } from './in-table.ts'
import { onlyChanged } from './object-changes.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { referencesOfConditions } from './row-condition-references.ts'
import type { SourceFamily } from './source-family.ts'
import { headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

/** The attributes that every permission to write begins with. */
export const permissionHead = (family: SourceFamily) => ({
  ...inTable(family),
  ...forRole,
})

/** The attributes that every permission to write ends with. */
export const permissionTail = {
  backend_only: z.boolean().default(false).meta({
    description: 'Whether only requests with the admin secret and `x-svc-use-backend-only-permissions` may use it.',
    at: 'permission.backend_only',
  }),
  validate_input: z
    .object({
      url: z.string().min(1, 'must not be empty').meta({
        description: 'Address of the webhook. May name variables of the engine: `{{CHECKS_URL}}`.',
      }),
      headers: outgoingHeaders('Headers it is called with.'),
      timeout: z.number().default(10).meta({ description: 'Seconds it may take.' }),
      forward_client_headers: z
        .boolean()
        .default(false)
        .meta({ description: "Whether it gets the headers of the client's request." }),
    })
    .optional()
    .meta({
      typeName: 'InputValidation',
      description: 'A webhook that is asked before anything is written, and can refuse it.',
      at: 'permission.validate_input',
    }),
  ...headersWriteOnly('validate_input_headers', 'permission.validate_input.definition.headers'),
  comment,
}

export const presets = z.unknown().optional().meta({
  description:
    'Columns that the engine fills in, as JSON: values, or names of session variables (`X-Svc-User-Id`). Clients cannot set them.',
  json: true,
  at: 'permission.set',
})

/**
 * `validate_input` stands in the metadata as `{ type, definition }`, and http is the only type there is. No headers are
 * stored as an empty list.
 */
const validateInput: Codec = {
  encode: (given) => (isObject(given) ? { type: 'http', definition: given } : given),
  decode(stored) {
    if (!isObject(stored) || !isObject(stored.definition)) return stored
    const { headers, ...others } = stored.definition
    return Array.isArray(headers) && headers.length === 0 ? others : stored.definition
  },
  decodePath: ([head, ...rest]) => (head === 'definition' ? rest : []),
}

/** `all_columns` stands in the metadata as columns `*`. */
export const allColumns: Codec = {
  encode: (all) => (all === true ? '*' : undefined),
  decode: (columns) => columns === '*',
}

export const writeCodecs = { validate_input: validateInput, validate_input_headers_wo: headersWriteOnlyCodec }

/** The operations of a permission to write. */
export function writePermissionOperations(
  kind: 'insert' | 'update' | 'delete',
  { op }: SourceFamily,
): Pick<Declaration, 'create' | 'update' | 'delete' | 'dependsOn'> {
  const create = (now: JsonObject, place: JsonObject) => op(`create_${kind}_permission`, { ...place, ...now })
  const drop = ({ role = null }: JsonObject, place: JsonObject) => op(`drop_${kind}_permission`, { ...place, role })
  return {
    dependsOn: ({ source, table }, value) => referencesOfConditions(source as Json, table as Json, value),
    create: (now, place) => [create(now, place)],
    update(old, now, place) {
      const { role = null, comment: text = null } = now
      return onlyChanged(old, now, 'comment')
        ? [op('set_permission_comment', { ...place, role, type: kind, comment: text })]
        : [drop(old, place), create(now, place)]
    },
    delete: (old, place) => [drop(old, place)],
  }
}
