import type { MetadataDocument } from '@svc/schema'
import { type Model, type ModelSettings, updateModel } from '../model/index.ts'
import type { SourceState } from '../sources/index.ts'

export type SourceStates = ReadonlyMap<string, SourceState>

/** What a request has made so far: nobody else sees it before it is stored. */
export interface Draft {
  readonly document: MetadataDocument
  readonly states: SourceStates
  /** Of this document, or of an earlier one while members of an atomic bulk are applied: see `settle`. */
  readonly model: Model
  readonly settings: ModelSettings
  /** Tables that this request has read from the database already, and nothing of its own has changed since. */
  readonly looked: ReadonlySet<string>
}

/** The draft with its model brought up to its document and sources. */
export function settle(draft: Draft): Draft {
  const { document, states, model, settings } = draft
  if (model.input.document === document && model.input.sources === states) return draft
  return { ...draft, model: updateModel(model, { document, sources: states, settings }) }
}
