import type { ObservedRequest } from '../client/index.ts'
import type { Attributes, JsonSpelling, Path, Values } from '../resources/index.ts'

/** What distinguishes the tools. */
export interface Tool {
  /** For X-Svc-Actor and texts: `terraform`, `pulumi`. */
  readonly name: string
  /** Of the provider, for the user agent. */
  readonly version: string
  /** How values of JSON attributes are handed over: as their text, or as they are. */
  readonly json: JsonSpelling
  /** What to write to refer to an output: `('Table', 'table')` -> `svc_table.<name>.table`. */
  readonly reference: (kind: string, attribute: string) => string
  /** How to say that a resource has another address and is still the same. */
  readonly renamed: string
  /** What keeps a value that no attribute calls sensitive out of what it prints; absent: single values can be secret. */
  readonly hidesValues?: string
  /** What its users call a kind: `('Table')` -> `svc_table`. */
  readonly typeName: (kind: string) => string
  /** What `{name}` in the owner stands for, where it knows more of its run than a program can say. */
  readonly names?: () => Readonly<Record<string, string>>
  /** How many resources it works on at once at least; null or absent: unknown. */
  readonly parallelism?: () => number | null
  /** Receives each request to the engine. */
  readonly observe?: (request: ObservedRequest) => void
  /** What data sources call a kind; without it `select_permission`. */
  readonly kindName?: (kind: string) => string
}

export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  /** One line. */
  readonly summary: string
  /** May be empty. */
  readonly detail: string
  /**
   * As deep as attributes go; empty for the resource as a whole. The path of a value in a set or in JSON ends at that
   * attribute, and the summary has the rest.
   */
  readonly path: Path
  /** What it comes from, where a tool has something of its own to say to it. */
  readonly problem?: 'unauthorised'
}

/** One kind as its tool's schema, its docs and its checks see it. */
export interface KindDeclaration {
  /** `SelectPermission` */
  readonly kind: string
  /** `select_permission` */
  readonly name: string
  /** In Markdown; the first sentence is used by itself, too. */
  readonly description: string
  /** Of the shape of the attributes; grows when `upgrade` has something to do. */
  readonly version: number
  /** With the computed `id`, which is also the import id. */
  readonly attributes: Attributes
  readonly importId: { readonly format: string; readonly example: string }
}

/** A data source: what goes in (required, optional) and what comes out (computed) in one tree. */
export interface DataDeclaration {
  /** `metadata`, `metadata_changes`, `unmanaged_objects` */
  readonly name: string
  readonly description: string
  readonly attributes: Attributes
}

export interface ProviderDeclaration {
  readonly kinds: readonly KindDeclaration[]
  readonly data: readonly DataDeclaration[]
  readonly config: Attributes
}

export interface PlanRequest {
  readonly kind: string
  /** Null: it is to be made. */
  readonly prior: Values | null
  /** What the user wrote, computed values as they were before or null. Null: it is to go. */
  readonly proposed: Values | null
  /** Exactly what the user wrote; write-only values are only here. Null when it is to go. */
  readonly config: Values | null
  /** The id of what is replaced by this, where the tool remembers it. */
  readonly former?: string
}

export interface PlanResult {
  /**
   * `prior` itself where nothing changes; each attribute is what was proposed, what was before (where both mean the
   * same), a default, or unknown. Null when it is to go.
   */
  readonly planned: Values | null
  /** Empty when nothing changes or it can be changed in place. */
  readonly replace: readonly Path[]
  /** What changes, for tools that request it: paths at and below attributes. Empty: nothing. */
  readonly changed: readonly Path[]
  readonly diagnostics: readonly Diagnostic[]
  /**
   * Of something to be made: what is there under its identity is its own, since it is made again. Of something to be
   * deleted: it is made again under its identity. For the apply that carries this plan out.
   */
  readonly anew?: boolean
}

/** Which version of the metadata made an object. */
export interface Made {
  readonly catalog: string
  /** The version in which its resource wrote it last. */
  readonly version: number
}

export interface ApplyRequest {
  readonly kind: string
  /** Null: it is made. */
  readonly prior: Values | null
  /** Null: it goes. */
  readonly planned: Values | null
  readonly config: Values | null
  /** What was planned: it is made again under its identity, so that the old one need not be gone in between. */
  readonly anew?: boolean
  /** Of something to be made: what it replaces, under another identity, and what deletes that one afterwards. */
  readonly former?: Values
  /** Of the prior state. */
  readonly made?: Made
  /** Ends the waiting for an answer; nothing by default. */
  readonly timeoutMilliseconds?: number
}

export interface StateResult {
  /** What is there after the call; null: nothing. In addition to an error: what is known to be there. */
  readonly state: Values | null
  /** To be stored next to the state. */
  readonly made?: Made
  readonly diagnostics: readonly Diagnostic[]
}
