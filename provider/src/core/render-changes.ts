import type { Json } from '@svc/schema'
import type { Difference } from './differences.ts'
import { hidePasswords, redacted } from './redact.ts'

/** Colours a piece of text, or leaves it as it is. */
export interface Paint {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly changed: (text: string) => string
  readonly faint: (text: string) => string
}

export const plain: Paint = {
  good: (text) => text,
  bad: (text) => text,
  changed: (text) => text,
  faint: (text) => text,
}

/** What is shown of a change. */
export interface ShownChange {
  readonly change: 'create' | 'update' | 'delete'
  readonly name: { readonly name: string }
  readonly differences: readonly Difference[]
}

/** Prints a change: `+ table artist in source default` and, of an update, what differs. */
export function renderChange({ change, name, differences }: ShownChange, paint: Paint): string {
  switch (change) {
    case 'create':
      return paint.good(`+ ${name.name}`)
    case 'delete':
      return paint.bad(`- ${name.name}`)
    case 'update':
      return [paint.changed(`~ ${name.name}`), ...differences.map((one) => `    ${renderDifference(one)}`)].join('\n')
  }
}

/** Prints one difference of an update. */
export function renderDifference({ path, old, new: now }: Difference): string {
  const [before, after] = [shown(old), shown(now)]
  const place = path.join('.')
  return before === after ? `${place}: a secret differs` : `${place}: ${before} -> ${after}`
}

/** One line of JSON, with the passwords of addresses hidden: plans end in logs. */
function shown(value: Json | undefined): string {
  if (value === undefined) return '(none)'
  const hidden = hidePasswords(JSON.stringify(value, (key, part) => (key === 'password' ? redacted : part)) ?? '')
  return hidden.length > 300 ? `${hidden.slice(0, 300)}…` : hidden
}

/** Prints counts: `2 to create, 1 to update, 0 to delete` */
export function countChanges(changes: readonly Pick<ShownChange, 'change'>[]): string {
  const count = (kind: ShownChange['change']) => changes.filter(({ change }) => change === kind).length
  return `${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete`
}
