import {
  address,
  addressText,
  childrenOf,
  equalJson,
  keyedObject,
  type MetadataObject,
  nameText,
  type ObjectAddress,
  objectKinds,
} from '@svc/schema'
import type { ReadKey } from '../graph.ts'
import { hasRole } from '../inherit/inherited-role.ts'
import type { Model, ResolvedFunction } from '../model.ts'
import { namingOf, rootKey } from '../naming/source-naming.ts'
import { Flaw } from '../resolve/flaw.ts'
import { resolveTrackedFunction } from '../resolve/resolve-tracked-function.ts'
import { listenedTo } from '../resolve/surroundings.ts'
import { addressOfFunction, addressOfTable, quotedTable } from '../table-id.ts'
import { argumentScalars, asksClient, refuseTakenScalars, refuseTakenType } from './argument-types.ts'
import { type Draft, draftLookup } from './draft.ts'
import type { Changes } from './find-changes.ts'
import { clearFault, recordFault } from './record-fault.ts'
import { noReads, readKeyOf, recordReads } from './record-reads.ts'

/**
 * Last layer: tracked functions (spec 01 §2.6). There are few of them, and one may give another's name free, so all are
 * looked at when anything changed that any of them rests on; one that turns out the same keeps its reference. Tables come
 * first for a name, then functions in the order of the document.
 */
export function updateFunctions(draft: Draft, changes: Changes, previous: Model | null): void {
  if (!concerned(draft, changes, previous)) return
  for (const { change, address: at } of changes.objects)
    if (change === 'delete' && isFunctionOrBelow(at)) forget(draft, at)
  const before = new Map(draft.functions)
  draft.functions.clear()
  draft.functionFields.clear()
  draft.functionMutations.clear()
  for (const one of trackedFunctions(draft)) {
    const now = attempt(draft, one)
    if (!now) continue
    const old = before.get(now.id)
    const kept = old && sameFunction(old, now) ? old : now
    draft.functions.set(kept.id, kept)
    // those of mutations are names of another root
    if (kept.exposedAs === 'mutation') {
      draft.functionMutations.set(rootKey(kept.naming, kept.field), { kind: 'function', function: kept.id })
      continue
    }
    draft.functionFields.set(rootKey(kept.naming, kept.field), { kind: 'function', function: kept.id })
    if (kept.aggregateField !== null)
      draft.functionFields.set(rootKey(kept.naming, kept.aggregateField), {
        kind: 'function_aggregate',
        function: kept.id,
      })
  }
}

const isFunctionOrBelow = ({ type }: ObjectAddress) => type === 'function' || type === 'function_permission'

/** Whether a function was edited, or there are functions and something beneath them moved. */
function concerned(draft: Draft, changes: Changes, previous: Model | null): boolean {
  if (changes.objects.some(({ address: at }) => isFunctionOrBelow(at))) return true
  const isAny = [...childrenOf(draft.input.document, 'source').values()].some(
    (source) => !childrenOf(source, 'function').isEmpty(),
  )
  if (!isAny) return false
  if (changes.sources.length > 0 || draft.rootFields.wasAltered() || draft.mutationFields.wasAltered()) return true
  if (draft.graph.typeNames.wasAltered() || draft.graph.argumentTypes.wasAltered()) return true
  if (draft.inheritedRoles !== previous?.inheritedRoles) return true
  const tables = new Set([...draft.functions.values()].map(({ table }) => table))
  if ([...draft.parts.keys()].some((id) => tables.has(id))) return true
  return [...draft.changed].some((read) => draft.graph.readers.get(read)?.some(isFunctionOrBelow) ?? false)
}

interface TrackedFunction {
  readonly at: ObjectAddress
  readonly object: MetadataObject
  readonly source: MetadataObject
}

/** In the order of an export. */
function trackedFunctions(draft: Draft): readonly TrackedFunction[] {
  const inOrder = (type: 'source' | 'function', children: ReturnType<typeof childrenOf>) =>
    [...children].sort(([, a], [, b]) => compare(objectKinds[type].sort(a.value), objectKinds[type].sort(b.value)))
  return inOrder('source', childrenOf(draft.input.document, 'source')).flatMap(([ownSource, source]) =>
    inOrder('function', childrenOf(source, 'function')).map(([own, object]) => ({
      at: address('function', own, address('source', ownSource)),
      object,
      source,
    })),
  )
}

function compare(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((text, index) => text !== b[index])
  return i < 0 ? 0 : (a[i] ?? '') < (b[i] ?? '') ? -1 : 1
}

/** Null where it cannot be served: then the reason is recorded, unless its source is what is wrong. */
function attempt(draft: Draft, { at, object, source }: TrackedFunction): ResolvedFunction | null {
  const name = String(source.value.name)
  draft.rebuilt++
  const state = draft.input.sources.get(name)
  if (state?.status !== 'ready') {
    forget(draft, at)
    for (const [own] of childrenOf(object, 'function_permission')) forget(draft, permissionAt(at, own))
    return null
  }
  const reads = new Set<ReadKey>()
  const around = listenedTo(draftLookup(draft), (use) => {
    const read = readKeyOf(use, '')
    if (read !== null) reads.add(read)
  })
  try {
    const naming = namingOf(source, draft.input.settings.namingConvention ?? null)
    const place = { sourceOwn: at.parent?.own ?? '', source: name, own: at.own, naming }
    const resolved = resolveTrackedFunction(object, place, around)
    refuseTakenNames(draft, resolved)
    if (asksClient(resolved.arguments)) refuseTakenType(draft, resolved.argumentsName, at, ['function'])
    refuseTakenScalars(draft, argumentScalars(resolved.arguments, state.backend.types), ['function'])
    clearFault(draft, addressText(at))
    return { ...resolved, roles: permittedRoles(draft, at, object, resolved) }
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    recordFault(draft, at, object, error)
    for (const [own] of childrenOf(object, 'function_permission')) forget(draft, permissionAt(at, own))
    return null
  } finally {
    recordReads(draft, at, reads)
  }
}

const permissionAt = (above: ObjectAddress, own: string) => address('function_permission', own, above)

function forget(draft: Draft, at: ObjectAddress): void {
  clearFault(draft, addressText(at))
  recordReads(draft, at, noReads)
}

/** Names are unique over all sources (spec 02 §1.1; architecture, decision 11). */
function refuseTakenNames(draft: Draft, { naming, field, aggregateField, exposedAs }: ResolvedFunction): void {
  const isMutation = exposedAs === 'mutation'
  const fields = isMutation ? draft.mutationFields : draft.rootFields
  const others = isMutation ? draft.functionMutations : draft.functionFields
  const names = aggregateField === null || isMutation ? [field] : [field, aggregateField]
  for (const name of names) {
    const key = rootKey(naming, name)
    const table = fields.get(key)?.table ?? draft.namespaces.get(key)?.first()
    const other = others.get(key)
    const owner = table !== undefined ? addressOfTable(table) : other && addressOfFunction(other.function)
    if (!owner) continue
    throw new Flaw(`conflicting definitions for field "${name}"`, {
      cause: 'clash',
      needs: [owner],
      at: ['function'],
      names: [name],
      bare: true,
      prefix: 'Conflicting objects',
      message: `already defined by ${nameText(keyedObject(draft.input.document, owner))}`,
    })
  }
}

/** Roles with a permission; one without a select permission on the returned table cannot use it (spec 01 §2.6). */
function permittedRoles(
  draft: Draft,
  above: ObjectAddress,
  object: MetadataObject,
  { table, of }: ResolvedFunction,
): ReadonlySet<string> {
  const roles = new Set<string>()
  const permitting = draft.parts.get(table) ?? draft.tables.get(table)
  for (const [own, permission] of childrenOf(object, 'function_permission')) {
    const at = permissionAt(above, own)
    const role = String(permission.value.role)
    if (permitting && hasRole(permitting.selectPermissions, role, draft.inheritedRoles.get(role))) {
      clearFault(draft, addressText(at))
      roles.add(role)
      continue
    }
    recordFault(
      draft,
      at,
      permission,
      new Flaw(
        `function permission cannot be created because role "${role}" does not have a select permission on the returned table ${quotedTable(of)}`,
        {
          cause: 'metadata',
          needs: [address('select_permission', own, addressOfTable(table))],
          at: ['role'],
          code: 'not-supported',
        },
      ),
    )
  }
  return roles
}

const sameFunction = ({ roles: a, ...old }: ResolvedFunction, { roles: b, ...now }: ResolvedFunction): boolean =>
  equalJson(old, now) && equalJson([...a].sort(), [...b].sort())
