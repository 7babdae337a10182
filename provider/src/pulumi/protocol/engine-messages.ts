/** The messages of `pulumirpc.Engine`, and the details of errors, that this provider writes. */
import { bytes, enumeration, int64, many, message, text } from '../../protobuf/index.ts'

export const logRequest = message({
  severity: enumeration(1, ['debug', 'info', 'warning', 'error']),
  message: text(2),
  urn: text(3),
})
export type Severity = 'debug' | 'info' | 'warning' | 'error'

const missingKey = message({ name: text(1), description: text(2) })
export const configureErrorMissingKeys = message({ missingKeys: many(1, () => missingKey) })

const any = message({ typeUrl: text(1), value: bytes(2) })
/** `google.rpc.Status` */
export const rpcStatus = message({ code: int64(1), message: text(2), details: many(3, () => any) })

export const anyOf = (type: string, value: Buffer) => ({ typeUrl: `type.googleapis.com/pulumirpc.${type}`, value })
