import { addressText, findObject, type MetadataDocument, type ObjectAddress, type ObjectChange } from '@svc/schema'
import { Stretches } from '../long-work.ts'
import { type Fault, type Model, type ModelSettings, updateModel, updateModelInPieces } from '../model/index.ts'
import type { RemoteStates } from '../remote-schemas/index.ts'
import type { SourceState } from '../sources/index.ts'

export type SourceStates = ReadonlyMap<string, SourceState>

/** What a request has made so far: no other client sees it before it is stored. */
export interface Draft {
  readonly document: MetadataDocument
  readonly states: SourceStates
  readonly remotes: RemoteStates
  /** Of this document, or of an earlier one while members of an atomic bulk are applied: see `withCurrentModel`. */
  readonly model: Model
  readonly settings: ModelSettings
  /** Tables that this request has read from the database already, and nothing of its own has changed since. */
  readonly reread: ReadonlySet<string>
  /** How the document differs from that which its last step began with: they are not compared again. */
  readonly differences?: readonly ObjectChange[]
}

/** Returns the draft with the model of its document, sources and remote schemas. */
export const withCurrentModel = (draft: Draft): Draft =>
  isCurrent(draft) ? draft : { ...draft, model: updateModel(draft.model, inputOf(draft)) }

/** Does the same in stretches of a few milliseconds: a draft whose whole document is replaced takes long. */
export async function withCurrentModelInStretches(
  draft: Draft,
  stretches: Stretches = new Stretches(),
): Promise<Draft> {
  if (isCurrent(draft)) return draft
  return { ...draft, model: await stretches.run(updateModelInPieces(draft.model, inputOf(draft))) }
}

const isCurrent = ({ document, states, remotes, model: { input } }: Draft): boolean =>
  input.document === document && input.sources === states && input.remotes === remotes

const inputOf = ({ document, states, remotes, settings }: Draft) => ({ document, sources: states, remotes, settings })

/**
 * Whether an object is a source of a kind that this version does not serve, or lacks something in one, or something that
 * does: it is stored, and its metadata is not wrong.
 */
export function isNotServed(
  { address, needs }: Pick<Fault, 'address' | 'needs'>,
  { document, states }: Pick<Draft, 'document' | 'states'>,
  faults: Model['faults'],
  seen: ReadonlySet<string> = new Set(),
): boolean {
  const isUnsupported = (source: ObjectAddress): boolean => {
    const state = states.get(String(findObject(document, source)?.value.name))
    return state?.status === 'unavailable' && state.backend === null
  }
  if (address.type === 'source' && isUnsupported(address)) return true
  return needs.some((at) => {
    const source = sourceOf(at)
    if (source && isUnsupported(source)) return true
    const key = addressText(at)
    const cause = seen.has(key) ? undefined : faults.get(key)
    return cause !== undefined && isNotServed(cause, { document, states }, faults, new Set([...seen, key]))
  })
}

const sourceOf = (at: ObjectAddress): ObjectAddress | null =>
  at.type === 'source' ? at : at.parent && sourceOf(at.parent)
