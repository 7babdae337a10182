import { name, record, type Value } from '../shape.ts'

/** drop_rest_endpoint (spec 01 §2.12). */
export const dropRestEndpointArgs = record({ name }, { unknown: 'ignore' })
export type DropRestEndpointArgs = Value<typeof dropRestEndpointArgs>
