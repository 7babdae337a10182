import type { Caller } from '../../backend.ts'

/** Returns the labels of a caller's jobs: the service accepts lower-case letters, digits, `_` and `-`, at most 63. */
export function jobLabels({ role, operationName }: Caller): Readonly<Record<string, string>> {
  return {
    svc_role: labelValue(role),
    ...(operationName !== null && { svc_operation: labelValue(operationName) }),
  }
}

const labelValue = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '_')
    .slice(0, 63)
