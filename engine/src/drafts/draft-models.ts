import type { ServedMetadata } from '../changes/index.ts'
import { ApiError, Path } from '../errors.ts'
import { draftedValues, type StoredDraft, withValues } from '../metadata/index.ts'
import type { Model } from '../model/index.ts'
import { moveTo } from '../requests/index.ts'
import { reconnected } from './draft-changes.ts'
import { idOfKey, unknownDraft } from './draft-key.ts'

/** A draft as a model next to the served one. */
export interface DraftModel {
  readonly model: Model
  /** Whether rows are answered through it. */
  readonly isOpen: boolean
}

interface KeptModel {
  /** The served model that it was made from: it is made again for another one. */
  readonly from: WeakRef<Model>
  readonly model: Promise<Model>
  /** Characters of what it changes. */
  size: number
  expiry: NodeJS.Timeout
}

/**
 * How many models are cached, with how many characters of changes together, and for how long one that no client
 * requests.
 */
const limits = { models: 16, characters: 8_000_000, idleMilliseconds: 900_000 }

/** The models of drafts, made from the served one when they are requested first; the least recently used is removed. */
export class DraftModels {
  readonly #served: ServedMetadata
  readonly #kept = new Map<string, KeptModel>()

  constructor(served: ServedMetadata) {
    this.#served = served
  }

  /**
   * The draft of a key. Throws not-exists, conflict where metadata has changed since it was made, and not-supported where it
   * would connect other databases.
   */
  async find(key: string): Promise<DraftModel> {
    const draft = await this.#served.store.drafts.find(idOfKey(key))
    if (!draft) throw unknownDraft()
    if (draft.resourceVersion !== this.#served.current.resourceVersion) await this.#served.fresh()
    return { model: await this.modelOf(draft), isOpen: draft.isOpen }
  }

  async modelOf(draft: StoredDraft, path: Path = Path.root): Promise<Model> {
    const { resourceVersion, model: from } = this.#served.current
    if (draft.resourceVersion !== resourceVersion) {
      this.#drop(draft.id)
      throw new ApiError(
        'conflict',
        path,
        `the draft is of metadata version ${draft.resourceVersion}, and ${resourceVersion} is served: make it again`,
      )
    }
    const known = this.#kept.get(draft.id)
    if (known?.from.deref() === from) {
      this.#keep(draft.id, known)
      return known.model
    }
    const made: KeptModel = {
      from: new WeakRef(from),
      model: this.#make(draft, path).then(({ model, size }) => {
        made.size = size
        this.#giveUp()
        return model
      }),
      size: 0,
      expiry: setTimeout(() => {}, 0),
    }
    this.#keep(draft.id, made)
    made.model.catch(() => {
      if (this.#kept.get(draft.id) === made) this.#drop(draft.id)
    })
    return made.model
  }

  close(): void {
    for (const id of [...this.#kept.keys()]) this.#drop(id)
  }

  async #make({ id }: StoredDraft, path: Path): Promise<{ readonly model: Model; readonly size: number }> {
    const before = this.#served.draft()
    const text = await this.#served.store.drafts.changes(id)
    if (text === null) throw unknownDraft(path)
    const values = draftedValues(text)
    const others = reconnected(before.document, values)
    if (others.length > 0)
      throw new ApiError(
        'not-supported',
        path,
        `the draft connects databases that are not connected now (${others.join(', ')}): it is served once it is applied`,
      )
    const { sources, remoteSchemas } = this.#served
    const document = withValues(before.document, values)
    const { model } = await moveTo(before, document, { sources, remoteSchemas }, true)
    return { model, size: text.length }
  }

  /** Most recently used. */
  #keep(id: string, model: KeptModel): void {
    this.#drop(id)
    model.expiry = setTimeout(() => this.#drop(id), limits.idleMilliseconds).unref()
    this.#kept.set(id, model)
    this.#giveUp()
  }

  #giveUp(): void {
    for (const [id, { from }] of this.#kept) if (from.deref() !== this.#served.current.model) this.#drop(id)
    let size = [...this.#kept.values()].reduce((sum, one) => sum + one.size, 0)
    for (const [id, one] of this.#kept) {
      if (this.#kept.size <= limits.models && size <= limits.characters) return
      if (this.#kept.size === 1) return
      size -= one.size
      this.#drop(id)
    }
  }

  #drop(id: string): void {
    clearTimeout(this.#kept.get(id)?.expiry)
    this.#kept.delete(id)
  }
}
