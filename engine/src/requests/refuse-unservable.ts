import { equalJson, findObject, type MetadataDocument, type ObjectAddress, valueFaults } from '@svc/schema'
import type { Path } from '../errors.ts'
import { unservable } from '../metadata/index.ts'

/**
 * Throws validation-failed where an object that an operation touches has a value that could be stored and never served
 * (docs/metadata-api.md#values-that-cannot-be-served), and had another value there before: what an older version stored or
 * an import brought can be changed elsewhere.
 */
export function refuseUnservable(
  before: MetadataDocument,
  after: MetadataDocument,
  touched: readonly ObjectAddress[],
  path: Path,
): void {
  for (const address of touched) {
    const object = findObject(after, address)
    const faults = object ? valueFaults(address.type, object.value) : []
    if (faults.length === 0) continue
    const old = findObject(before, address)
    if (object === old) continue
    const known = old ? valueFaults(address.type, old.value) : []
    const fault = faults.find((one) => !known.some((other) => equalJson(one.path, other.path)))
    if (fault) throw unservable(fault, path)
  }
}
