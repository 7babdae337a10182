import { isRecord, type Json } from '@svc/schema'
import { filled, type InputDeclaration, type Inputs, within } from './attributes-of.ts'
import type { Codec, Declaration } from './define-resource.ts'
import { comment, forRole, inTable, tableIdentity } from './in-table.ts'
import { onlyChanged } from './object-changes.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { referencesOfConditions } from './row-condition-references.ts'
import type { SourceFamily } from './source-family.ts'
import { headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

/** The attributes that every permission to write ends with, below `permission`. */
export const permissionTail: Inputs = {
  backend_only: 'Whether only requests with the admin secret and `x-svc-use-backend-only-permissions` may use it.',
  validate_input: {
    description: 'A webhook that is asked before anything is written, and can refuse it.',
    from: 'permission.validate_input.definition',
    optional: true,
    typeName: 'InputValidation',
    of: {
      url: filled('Address of the webhook. May name variables of the engine: `{{CHECKS_URL}}`.'),
      headers: outgoingHeaders('Headers it is called with.'),
      timeout: 'Seconds it may take.',
      forward_client_headers: "Whether it gets the headers of the client's request.",
    },
  },
  ...headersWriteOnly('validate_input_headers', 'validate_input.definition.headers'),
}

export const presets: InputDeclaration = {
  description:
    'Columns that the engine fills in, as JSON: values, or names of session variables (`X-Svc-User-Id`). Clients cannot set them.',
  json: true,
}

/**
 * `validate_input` stands in the metadata as `{ type, definition }`, and http is the only type there is. No headers are
 * stored as an empty list.
 */
const validateInput: Codec = {
  encode: (given) => (isRecord(given) ? { type: 'http', definition: given } : given),
  decode(stored) {
    if (!isRecord(stored) || !isRecord(stored.definition)) return stored
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

/** What all permissions of tables have in common. `permission`: the attributes that stand below that key. */
export function tablePermission(
  kind: 'select' | 'insert' | 'update' | 'delete',
  family: SourceFamily,
  permission: Inputs,
): Omit<Declaration, 'kind' | 'description'> {
  const usual = family.operations(`create_${kind}_permission`, null, `drop_${kind}_permission`, 'role')
  return {
    type: `${kind}_permission`,
    inputs: { ...inTable(family), ...forRole, ...within('permission', permission), comment },
    identity: [...tableIdentity(family), 'role'],
    example: ['default', 'public', 'album', 'user'],
    ...usual,
    dependsOn: ({ source, table }, value) => referencesOfConditions(source as Json, table as Json, value),
    update(old, now, place) {
      const { role = null, comment: text = null } = now
      return onlyChanged(old, now, 'comment')
        ? [family.op('set_permission_comment', { ...place, role, type: kind, comment: text })]
        : usual.update(old, now, place)
    },
  }
}
