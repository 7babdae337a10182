import type { TypeSystem } from '../../backends/index.ts'
import type { MutationFieldOwner, QueryFieldOwner } from '../root-owner.ts'
import type { ClashWords } from './names.ts'

/** A name that an object wants for itself. */
export type Claim = RootClaim | TypeClaim

export type RootClaim =
  | (FieldClaim & { readonly root: 'query' | 'subscription'; readonly owner: QueryFieldOwner })
  | (FieldClaim & { readonly root: 'mutation'; readonly owner: MutationFieldOwner })

interface FieldClaim {
  readonly kind: 'root'
  /** Its `rootKey`, and the name in it. */
  readonly key: string
  readonly name: string
}

export interface TypeClaim {
  readonly kind: 'type'
  readonly name: string
  /** Two objects may both have it where this text is the same. */
  readonly shared?: string
  /** It is a row type: the names derived from it (`<T>_bool_exp` …) are claimed along with it. */
  readonly isRow: boolean
}

/** The names that go with an object. */
export interface Names {
  readonly claims: readonly Claim[]
  /** Without: those that all kinds have. */
  readonly words?: ClashWords
  /** Keys inside the object's value that a clash of one of them points at. */
  readonly at: readonly string[]
  /** Scalars that its types mention: no table may be called like one. */
  readonly scalars?: Iterable<string>
  /** Where a clash with a scalar points at; without: where that of a name does. */
  readonly scalarsAt?: readonly string[]
  /** Of its source, for names of rows: no column of it may be of a scalar called like them. */
  readonly types?: TypeSystem
}
