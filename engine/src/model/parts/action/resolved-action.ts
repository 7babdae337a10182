/** Actions and their types as they are served (reference/actions#custom-types, reference/actions). Plain data. */
import type { ActionDefinition, CustomTypes, GraphqlType, Header } from '@svc/schema'
import type { DatabaseType } from '../../../ir/index.ts'
import type { CompiledRequestTransform, CompiledResponseTransform } from '../../../transforms/index.ts'
import type { TableId } from '../../object-ids.ts'

/** What stands at the end of a type's lists. */
export type ActionBase =
  | { readonly kind: 'built-in'; readonly name: BuiltInScalar }
  | { readonly kind: 'scalar'; readonly name: string }
  /** A type of a source's database. */
  | { readonly kind: 'source-scalar'; readonly name: string; readonly source: string; readonly type: DatabaseType }
  | { readonly kind: 'enum'; readonly name: string }
  | { readonly kind: 'object'; readonly name: string }
  | { readonly kind: 'input'; readonly name: string }

export const builtInScalars = ['Int', 'Float', 'String', 'Boolean', 'ID'] as const
export type BuiltInScalar = (typeof builtInScalars)[number]

/** A field of an object or of an input object, or an argument. */
export interface ActionField {
  readonly name: string
  readonly description: string | null
  readonly type: GraphqlType
  readonly base: ActionBase
}

interface Described {
  readonly name: string
  readonly description: string | null
}

interface ActionEnum extends Described {
  readonly values: readonly Described[]
}

interface ActionInput extends Described {
  readonly fields: ReadonlyMap<string, ActionField>
}

export interface ActionObject extends Described {
  readonly fields: ReadonlyMap<string, ActionField>
  readonly relationships: ReadonlyMap<string, ActionRelationship>
}

/** From objects to rows of a table, by fields that hold the values of columns (reference/actions#relationships). */
export interface ActionRelationship {
  readonly name: string
  readonly kind: 'object' | 'array'
  readonly source: string
  readonly target: TableId
  readonly mapping: readonly { readonly field: string; readonly column: string }[]
}

/** All custom types together. */
export interface ActionTypes {
  readonly declared: CustomTypes
  readonly scalars: ReadonlyMap<string, Described>
  readonly enums: ReadonlyMap<string, ActionEnum>
  readonly inputs: ReadonlyMap<string, ActionInput>
  readonly objects: ReadonlyMap<string, ActionObject>
}

export const noActionTypes: ActionTypes = {
  declared: {},
  scalars: new Map(),
  enums: new Map(),
  inputs: new Map(),
  objects: new Map(),
}

export interface ResolvedAction {
  readonly name: string
  readonly description: string | null
  readonly kind: 'query' | 'synchronous' | 'asynchronous'
  readonly arguments: readonly ActionField[]
  readonly output: { readonly type: GraphqlType; readonly base: ActionBase }
  /** Those of its arguments and output among them. */
  readonly types: ActionTypes
  /** With references to environment variables, which are resolved when it is called. */
  readonly handler: string
  readonly headers: readonly Header[]
  readonly forwardClientHeaders: boolean
  /** Lower case. */
  readonly ignoredClientHeaders: ReadonlySet<string>
  /** Seconds. */
  readonly timeout: number
  readonly requestTransform: CompiledRequestTransform | null
  readonly responseTransform: CompiledResponseTransform | null
  readonly declared: ActionDefinition
}
