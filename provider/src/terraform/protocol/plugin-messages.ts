import { enumeration, int64, message, text } from '../../protobuf/index.ts'

/** The messages of go-plugin's own services, and of the health check. */
export const empty = message({})
export const stdioData = message({ channel: int64(1) })
export const connectionInfo = message({ serviceId: int64(1) })
export const healthCheckRequest = message({ service: text(1) })
export const healthCheckResponse = message({ status: enumeration(1, ['unknown', 'serving', 'not-serving']) })
