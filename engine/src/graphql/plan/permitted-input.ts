import { isRecord } from '@svc/schema'
import { invalid, type Path } from '../../errors.ts'
import { isRawNumber } from '../../exact-json/index.ts'
import type { VisibleRemote } from '../../model/index.ts'
import { publicType, type RemoteTypeRef } from '../../remote-schemas/index.ts'

/**
 * Throws validation-failed where a value has members of input objects or values of enums that the role may not use. What of
 * them the remote schema has not, it says itself (reference/remote-schemas#permissions-of-roles).
 */
export function checkPermitted(visible: VisibleRemote, type: RemoteTypeRef, json: unknown, path: Path): void {
  if (isWhole(visible) || json === null || json === undefined) return
  switch (type.kind) {
    case 'non-null':
      checkPermitted(visible, type.of, json, path)
      return
    case 'list':
      for (const item of Array.isArray(json) ? json : [json]) checkPermitted(visible, type.of, item, path)
      return
    case 'named':
      checkNamed(visible, type.name, json, path)
  }
}

/** Whether the role sees all of it. */
export const isWhole = ({ types, remote }: VisibleRemote): boolean => types === remote.types

function checkNamed(visible: VisibleRemote, name: string, json: unknown, path: Path): void {
  const type = visible.types.types.get(name)
  const shown = publicType(visible.remote.naming, name)
  if (type?.kind === 'ENUM' && typeof json === 'string' && !type.values.some((value) => value.name === json))
    throw invalid(path, `unexpected value "${json}" for enum: '${shown}'`)
  if (type?.kind !== 'INPUT_OBJECT' || !isRecord(json) || isRawNumber(json)) return
  for (const [key, value] of Object.entries(json)) {
    const field = type.fields.get(key)
    if (!field) throw invalid(path, `field '${key}' not found in type: '${shown}'`)
    checkPermitted(visible, field.type, value, path)
  }
}
