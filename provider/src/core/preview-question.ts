/** What a plan has the engine try for an object, and what is clear without a request: pure. */
import type { MetadataDocument, MetadataObject } from '@svc/schema'
import type { Operation } from '../resources/index.ts'
import { warningOf } from './diagnostic.ts'
import { findObject } from './document-objects.ts'
import { meansTheSame, stepTo } from './object-steps.ts'
import type { Diagnostic } from './provider.ts'
import { anewOperations } from './resource-write.ts'
import type { WantedObject } from './wanted-object.ts'
import { refuseExisting, refuseImpossible, type WriteRules } from './write-refusals.ts'

/** What a plan would do. */
export type Intent =
  /** `replaces`: an object that is there under this identity is the resource's own and is made again. */
  | { readonly kind: 'create'; readonly wanted: WantedObject; readonly replaces: boolean }
  | { readonly kind: 'update'; readonly wanted: WantedObject }
  | { readonly kind: 'replace'; readonly old: WantedObject; readonly wanted: WantedObject }
  /** `force`: the objects inside it are deleted too. */
  | { readonly kind: 'delete'; readonly old: WantedObject; readonly force: boolean }

/** What the engine has to try, or what is clear without a request. */
export type Question = { readonly ask: readonly Operation[] } | { readonly answer: readonly Diagnostic[] }

const nothing: Question = { answer: [] }

/** Returns the object that an intent is about. */
export const subject = (intent: Intent): WantedObject => (intent.kind === 'delete' ? intent.old : intent.wanted)

export function questionOf(intent: Intent, document: MetadataDocument, rules: WriteRules): Question {
  const live = (object: WantedObject) => findObject(document, object.address)
  const drops = (object: WantedObject) => dropsOf(object, document)
  switch (intent.kind) {
    case 'delete':
      return { ask: drops(intent.old) }
    case 'update':
      return asked(intent.wanted, stepTo(intent.wanted, live(intent.wanted)))
    case 'replace':
      return prefixed(drops(intent.old), asked(intent.wanted, stepTo(intent.wanted, undefined)))
    case 'create': {
      const there = live(intent.wanted)
      const step = stepTo(intent.wanted, there)
      if (!there) return asked(intent.wanted, step)
      if (intent.replaces) return anew(document, intent.wanted, there)
      const adopted = rules.adoptExisting && meansTheSame(intent.wanted, there, rules.spelling)
      return adopted ? nothing : { answer: [refuseExisting(intent.wanted, there, rules)] }
    }
  }
}

function anew(document: MetadataDocument, wanted: WantedObject, there: MetadataObject): Question {
  const operations = anewOperations(document, wanted, there)
  return operations ? { ask: operations } : { answer: [refuseImpossible(wanted)] }
}

/** Returns the operations that drop an object, where it exists. */
export function dropsOf({ kind, address, place }: WantedObject, document: MetadataDocument): readonly Operation[] {
  const there = findObject(document, address)
  return there ? kind.delete(there.value, place) : []
}

export function asked(wanted: WantedObject, step: ReturnType<typeof stepTo>): Question {
  switch (step.kind) {
    case 'none':
      return nothing
    case 'operations':
      return { ask: step.operations }
    case 'impossible':
      return { answer: [refuseImpossible(wanted)] }
  }
}

const prefixed = (first: readonly Operation[], question: Question): Question =>
  'ask' in question ? { ask: [...first, ...question.ask] } : question

/** Returns warnings of what a change does to a database or a log, where its kind has some. */
export function sideEffectsOf(intent: Intent, document: MetadataDocument): readonly Diagnostic[] {
  if (intent.kind !== 'update' && intent.kind !== 'replace') return []
  const old = intent.kind === 'replace' ? intent.old : intent.wanted
  const { kind } = old
  const live = findObject(document, old.address)
  if (!kind.sideEffects || !live) return []
  const said = kind.sideEffects(live.value, intent.kind === 'replace' ? null : intent.wanted.valueOver(live.value))
  return said.length === 0
    ? []
    : [
        warningOf(
          `${old.title()}: ${intent.kind === 'replace' ? 'a new one takes its place' : 'more than metadata changes'}`,
          said.join('\n'),
        ),
      ]
}
