import type { Json } from '@svc/schema'
import type { EarlyEffects, UpdateDraft } from '../changes/index.ts'
import type { FailedMember, Reload } from '../metadata/index.ts'
import type { Overruled } from './answer.ts'
import type { Command } from './command.ts'

/** Databases are made what a draft says where the request goes on with their tables; null: they are as served. */
export interface EffectsBeforeStorage {
  made: EarlyEffects | null
}

/** What ran and cannot be undone: a second try reads answer and effect here instead of running it again. */
export type RanAlready = Map<
  Command,
  { readonly answer: Json; readonly adapt: UpdateDraft | null; readonly overruled?: readonly Overruled[] }
>

/** What a request did that its draft does not show. */
export interface RequestEffects {
  readonly done: RanAlready
  /** Null: nothing is made of databases before the outcome is stored, since it may never be. */
  readonly early: EffectsBeforeStorage | null
  /** What to announce once it is stored. */
  readonly announced: Reload[]
  /** Sources whose databases are made again what metadata says of them. */
  readonly restored: string[]
  /** What it changes that other clients own. */
  readonly overruled: Overruled[]
  readonly failed: FailedMember[]
}

export const noEffects = (): RequestEffects => ({
  done: new Map(),
  early: null,
  announced: [],
  restored: [],
  overruled: [],
  failed: [],
})
