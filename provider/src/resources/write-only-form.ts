import { isRecord, type Json } from '@svc/schema'
import type { Inputs } from './attributes-of.ts'
import type { Codec } from './define-resource.ts'

/**
 * `headers_wo` and `headers_wo_version`: values by name that join those of the attribute `base` without being stored
 * in a state, and the number whose change sends them again. `name` is that of the attribute, with those of the objects
 * around it.
 */
const writeOnlyForm = (name: string, base: string, at: string): Inputs => ({
  [`${name}_wo`]: {
    description: `More of \`${base}\`, values by name, that are stored in no state and no plan. Sent when the object is made or changed, and when \`${name}_wo_version\` changes.`,
    type: { kind: 'map', of: { kind: 'string' } },
    sensitive: true,
    writeOnly: true,
    at,
  },
  [`${name}_wo_version`]: {
    description: `Any number, given with \`${name}_wo\`; a change sends it again.`,
    at: null,
    type: 'integer',
    optional: true,
  },
})

/** Of a list of headers at this place. */
export const headersWriteOnly = (name: string, at: string): Inputs =>
  writeOnlyForm(name, name.replace(/_headers$/, '.headers'), at)

/** Of the headers that the transform of requests adds. */
export const addedHeadersWriteOnly: Inputs = writeOnlyForm(
  'request_transform_add_headers',
  'request_transform.add_headers',
  'request_transform.request_headers.add_headers',
)

/** Of headers, which stand in the metadata as a list. */
export const headersWriteOnlyCodec: Codec = {
  encode: (given) => (isRecord(given) ? Object.entries(given).map(([name, value]): Json => ({ name, value })) : given),
}
