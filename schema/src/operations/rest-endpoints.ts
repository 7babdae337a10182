import { name, record, type Value } from '../shape.ts'

/** drop_rest_endpoint (reference/metadata-operations#stored-queries). */
export const dropRestEndpointArgs = record({ name }, { unknown: 'ignore' })
export type DropRestEndpointArgs = Value<typeof dropRestEndpointArgs>
