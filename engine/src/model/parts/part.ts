/**
 * What a kind of object says of itself; the rest is update-part.ts, which is the same for all. A part is listed in
 * parts.ts (docs/model.md, "A new kind").
 */
import type { JsonObject, MetadataObject, ObjectAddress, ObjectType, ObjectValues } from '@svc/schema'
import type { ReadySource } from '../../sources/index.ts'
import type { ReadKey, TableNode } from '../graph.ts'
import type { ModelInput } from '../model-settings.ts'
import type { Names } from '../names/claim.ts'
import type { SourceNaming } from '../naming/source-naming.ts'
import type { Renaming } from '../rename/database-names.ts'
import type { ResolveContext } from '../resolve/resolve-context.ts'
import type { Changes } from '../update/find-changes.ts'
import type { ModelDraft } from '../update/model-draft.ts'
import type { DefinitionOf } from '../update/record-fault.ts'
import type { PartKey } from './values.ts'

/** An object to resolve. */
interface Subject<T extends ObjectType = ObjectType> {
  readonly at: ObjectAddress
  readonly object: MetadataObject
  /** Of the object, as its schema declares it. */
  readonly value: ObjectValues[T]
  readonly input: ModelInput
}

/** The source that an object belongs to, which can be reached. */
export interface OwnSource {
  readonly own: string
  readonly name: string
  readonly object: MetadataObject
  readonly state: ReadySource
  readonly naming: SourceNaming
}

/** What an object may read while it is resolved. What it reads here resolves it again when it changes. */
export interface Reading {
  /** Tables, relationships, computed fields and functions of databases. */
  readonly tables: ResolveContext
  /** The source above the object. Throws where there is none: only for kinds that stand below one. */
  readonly source: OwnSource
  /** The table above the object, its GraphQL side included. Throws where there is none. */
  readonly table: TableNode
  /** What another object resolves to: of this part's kind, or of an earlier part. */
  value<V>(part: PartKey<V>, id: string): V | null
  /** Whether metadata has an object; not whether it is consistent. */
  isDeclared(at: ObjectAddress): boolean
  /** In brackets, why nothing is known of a source whose kind cannot be served; else empty. */
  whyNotServed(source: string): string
  /** Whether a role may select from a table, by itself or by what it inherits. */
  maySelect(table: string, role: string): boolean
  /** Anything else: the part that changes it announces the key. */
  note(key: ReadKey): void
}

/**
 * What is declared of a kind of object, whatever it means: of parts, and of the few kinds that are layers of their own.
 */
export interface KindFacts {
  /** What users of an object read of it: they are its dependents. */
  readKeys?(at: ObjectAddress, object: MetadataObject): readonly ReadKey[]
  /**
   * How it is named as a dependent, in front of its source (reference/metadata-document#dependencies). Without: by its
   * kind and name.
   */
  dependentText?(names: DependentNames): string
  /**
   * Whether `cascade` removes it where it depends on what is dropped; else the drop is refused
   * (reference/metadata-document#dependencies).
   */
  readonly isCascaded?: true
  /**
   * Its value with new names of tables and columns in it (reference/metadata-operations#sql). Without: it names none.
   */
  rename?(value: JsonObject, renaming: Renaming): JsonObject
  /**
   * Which tables it may name, without its own and those it has read: an object of such a kind is read wherever it is.
   * Without: none.
   */
  readonly namesTables?: 'of-its-source' | 'of-all-sources'
}

/** Names of a dependent: its own key and its last name, and that of what it stands below, if anything. */
interface DependentNames {
  readonly key: JsonObject
  readonly own: string
  readonly above: string
}

export interface Part<V, T extends ObjectType = ObjectType> extends PartKey<V>, KindFacts {
  /**
   * The kind of object. Nothing is reported below a source that cannot be reached, or a parent that is inconsistent
   * (reference/metadata-document#inconsistent-objects).
   */
  readonly type: T
  /** Throws a ResolutionError when it is inconsistent. */
  resolve(subject: Subject<T>, reading: Reading): V
  /** The names that go with it: of several that want one the first keeps it. Without: it has none. */
  names?(value: V, reading: Reading): Names
  /** What its errors begin with: `native query "q"`. Without: `resolve` says it all. */
  title?(object: MetadataObject): string
  /**
   * How an inconsistent object is shown (reference/metadata-document#inconsistent-objects). Without: its value, below a
   * table with the names above.
   */
  definition?: DefinitionOf
  /** Whether a new value means the same, so that no client needs to be notified. Without: they are compared as data. */
  same?(a: V, b: V): boolean
  /**
   * Objects to resolve again although nothing they read changed: where each would have to read what hardly ever is there.
   */
  more?(changes: Changes): readonly ObjectAddress[]
  /** Below a table, and reads nothing of its GraphQL side: new names of columns do not concern it. */
  readonly isOfDatabase?: true
  /** Whether the table above has one of them is part of what the table resolves to. */
  readonly marksItsTable?: true
  /** Where values are stored. Without: with those of all parts, by `objectId`. */
  readonly store?: Store<V>
}

/** A part's values in another place: what belongs to a table stands in it. */
export interface Store<V> {
  get(draft: ModelDraft, at: ObjectAddress, object: MetadataObject): V | undefined
  /** Null: removed. Announces its key to the objects that read it. */
  set(draft: ModelDraft, at: ObjectAddress, object: MetadataObject, value: V | null): void
}
