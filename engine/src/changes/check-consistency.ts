import { addressText, keyedObject, nameText, type ObjectAddress } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import type { Fault, InconsistentObject, Model } from '../model/index.ts'

/** Keys of objects that are inconsistent in one model and were not in the other. */
export function newlyInconsistent(before: Model, after: Model): readonly string[] {
  if (before.inconsistencies === after.inconsistencies) return []
  return [...after.inconsistencies.keys()].filter((key) => !before.inconsistencies.has(key)).sort()
}

export const objectsOf = (model: Model, keys: readonly string[]): readonly InconsistentObject[] =>
  keys.map((key) => model.inconsistencies.get(key)).filter((object) => object !== undefined)

/** An inconsistency that refused a change, with its causes: a dry run reports `at` and `needs` from it. */
export class InconsistencyError extends ApiError {
  readonly faults: readonly Fault[]
  /** The model that was refused. */
  readonly model: Model
  readonly objects: readonly InconsistentObject[]
  /** Whether the message consists of the objects' reasons. */
  readonly saysReasons: boolean

  constructor(
    code: 'invalid-configuration' | 'not-supported' | 'remote-schema-conflicts' | 'unexpected' | 'bad-request',
    path: Path,
    message: string,
    options: {
      readonly model: Model
      readonly keys: readonly string[]
      readonly status?: number
      readonly at?: Path
      readonly saysReasons?: true
    },
  ) {
    const { model, keys, status, at } = options
    const objects = objectsOf(model, keys)
    super(code, path, message, {
      internal: objects,
      ...(status !== undefined && { status }),
      ...(at && { at }),
    })
    this.model = model
    this.objects = objects
    this.saysReasons = options.saysReasons === true
    this.faults = keys.map((key) => model.faults.get(key)).filter((fault) => fault !== undefined)
  }
}

/**
 * Style B, "build for object" (reference/metadata-requests#consistency). Throws invalid-configuration, or the code that
 * its fault has, for touched objects; unexpected for other objects.
 */
export function checkObject(before: Model, after: Model, touched: readonly ObjectAddress[], path: Path): void {
  if (before === after && after.inconsistencies.isEmpty()) return
  refuseClash(before, after, path, touched)
  const own = touched.map(addressText).filter((key) => after.inconsistencies.has(key))
  if (own.length > 0) {
    const reasons = objectsOf(after, own).map((object) => object.reason)
    const fault = own.length === 1 ? after.faults.get(own[0] ?? '') : undefined
    const refusal = fault?.refusal
    if (refusal)
      throw new ApiError(refusal.code, path, refusal.message, {
        internal: refusal.internal,
        at: path.at(...(fault?.at ?? [])),
      })
    throw new InconsistencyError(fault?.code ?? 'invalid-configuration', path, reasons.join(', '), {
      model: after,
      keys: own,
      at: path.at(...(fault?.at ?? [])),
      saysReasons: true,
    })
  }
  const others = newlyInconsistent(before, after)
  if (others.length > 0)
    throw new InconsistencyError('unexpected', path, 'cannot continue due to new inconsistent metadata', {
      model: after,
      keys: others,
      at: path,
    })
}

/** Style N, "no new inconsistencies" (reference/metadata-requests#consistency): unexpected, 500. */
export function checkNoNew(before: Model, after: Model, path: Path): void {
  refuseClash(before, after, path)
  const keys = newlyInconsistent(before, after)
  if (keys.length > 0)
    throw new InconsistencyError('unexpected', path, 'cannot continue due to newly found inconsistent metadata', {
      model: after,
      keys,
      status: 500,
      at: path,
    })
}

/** Style A, "none at all" (reference/metadata-requests#consistency), but for what is allowed: unexpected. */
export function checkNone(after: Model, path: Path, isAllowed: (fault: Fault) => boolean = () => false): void {
  const keys = [...after.inconsistencies.keys()]
    .filter((key) => {
      const fault = after.faults.get(key)
      return !fault || !isAllowed(fault)
    })
    .sort()
  if (keys.length > 0)
    throw new InconsistencyError('unexpected', path, 'cannot continue due to inconsistent metadata', {
      model: after,
      keys,
      at: path,
    })
}

/** A member of an atomic bulk, to report what is wrong at its end. */
export interface AtomicMember {
  readonly path: Path
  readonly touched: readonly ObjectAddress[]
}

/** The end of an atomic bulk: bad-request `Schema inconsistency` for what it touched or newly made inconsistent. */
export function checkEndState(before: Model, after: Model, members: readonly AtomicMember[], path: Path): void {
  const own = members.flatMap(({ touched }) => touched.map(addressText)).filter((key) => after.inconsistencies.has(key))
  const keys = [...new Set([...own, ...newlyInconsistent(before, after)])].sort()
  if (keys.length === 0) return
  const culprit = members.findLast(({ touched }) => touched.some((address) => keys.includes(addressText(address))))
  const key = culprit?.touched.map(addressText).find((text) => keys.includes(text))
  const fault = key === undefined ? undefined : after.faults.get(key)
  throw new InconsistencyError('bad-request', path, 'Schema inconsistency', {
    model: after,
    keys,
    at: culprit ? culprit.path.at(...(fault?.at ?? [])) : path,
  })
}

/**
 * A call after which one root field or type had two owners is refused as a whole (architecture, decision 12): 500.
 * Kinds that have an error of their own for it throw that.
 */
function refuseClash(before: Model, after: Model, path: Path, touched: readonly ObjectAddress[] = []): void {
  const keys = newlyInconsistent(before, after)
  const clash = keys.find((key) => (after.faults.get(key)?.names.length ?? 0) > 0)
  const fault = clash === undefined ? undefined : after.faults.get(clash)
  const object = clash === undefined ? undefined : after.inconsistencies.get(clash)
  if (clash === undefined || !fault || !object) return
  const { conflict } = fault
  if (conflict) {
    if (touched.some((address) => addressText(address) === clash)) return
    throw new ApiError(
      conflict.code,
      path,
      conflict.message.replace('{name}', () => fault.names[0] ?? ''),
      {
        internal: objectsOf(after, [clash]),
      },
    )
  }
  const owners = [object.name, ...fault.needs.map((owner) => nameText(keyedObject(after.input.document, owner)))].sort()
  const definitions = [...fault.names]
    .sort()
    .map((name) => `'${name}' defined in [${owners.join(', ')}]`)
    .join(', ')
  throw new InconsistencyError(
    'unexpected',
    path,
    fault.namesOf === 'type'
      ? `Encountered conflicting definitions for types: [${definitions}]. Types must not be defined more than once across all sources.`
      : `Encountered conflicting definitions in the selection set for '${fault.namesOf ?? 'query'}_root' for fields: [${definitions}]. Fields must not be defined more than once across all sources.`,
    { model: after, keys: [clash], status: 500, at: path },
  )
}
