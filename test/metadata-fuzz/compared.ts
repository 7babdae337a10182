/** What the fuzz compares: documents as they are exported, inconsistent objects, members as they are sent. */
import assert from 'node:assert/strict'
import type { Member } from './judge.ts'
import { asItem, type Document, type Item, items, tidy } from './plain-document.ts'

export const isHidden = ({ include_in_metadata }: Item): boolean => include_in_metadata === false

/** As it is exported. */
export function visible(document: Document): Document {
  const shown = structuredClone(document)
  shown.cron_triggers = items(shown, 'cron_triggers').filter((one) => !isHidden(one))
  return tidy(shown)
}

export function equal(a: unknown, b: unknown): boolean {
  try {
    assert.deepStrictEqual(a, b)
    return true
  } catch {
    return false
  }
}

/** Permissions that a role cannot inherit are listed, but refuse nothing (docs/inherited-roles.md). */
export const isUnserved = (object: Item): boolean => object.entity === undefined

/** Requests that store what is inconsistent, or read again what may have become so. */
export const mayBreak = ({ type, args, members }: Member): boolean =>
  members
    ? members.some(mayBreak)
    : (type === 'replace_metadata' && asItem(args).allow_inconsistent_metadata === true) || /^reload_/.test(type)

export function refuseNew(before: readonly Item[], after: readonly Item[]): void {
  const keys = new Set(before.map(keyOf))
  assert.deepEqual(
    after.filter((object) => isUnserved(object) && !keys.has(keyOf(object))),
    [],
    'something became inconsistent',
  )
}

const keyOf = ({ name, type, entity }: Item): string => JSON.stringify([type, name, entity])

export function bodyOf({
  type,
  args,
  version,
  sent,
  members,
  ...more
}: Member): Item & { type: string; args: unknown } {
  const { resource_version } = more as { resource_version?: number }
  return {
    type: sent.name || type,
    args: members ? members.map(bodyOf) : args,
    ...(version !== undefined && { version }),
    ...(resource_version !== undefined && { resource_version }),
  } as Item & { type: string; args: unknown }
}
