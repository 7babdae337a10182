import { lenient, name } from '../shape.ts'

/** drop_rest_endpoint (reference/metadata-operations#stored-queries). */
export const dropRestEndpointArgs = lenient({ name })
