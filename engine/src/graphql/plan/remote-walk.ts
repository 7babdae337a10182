import type { FieldNode, SelectionNode, ValueNode } from 'graphql'
import type { Path } from '../../errors.ts'
import type { Expected } from '../../json-bytes/index.ts'
import type { VisibleRemote } from '../../model/index.ts'
import type { RemoteTypeRef } from '../../remote-schemas/index.ts'
import type { Context } from '../selection/context.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { JoinMeaning } from '../types/remote-join-types.ts'
import type { AskedFields } from './asked-fields.ts'

/** A root field that another server answers: one request. */
export interface PlannedRemote extends RemoteVariables {
  readonly kind: 'remote'
  readonly responseKey: string
  readonly remote: string
  readonly operation: 'query' | 'mutation' | 'subscription'
  /** What follows the name of the operation: the variables' definitions, the selection set and its fragments. */
  readonly rest: string
  /** What its answer has to be. */
  readonly expected: Expected
  /** Of the field, for errors of its answer. */
  readonly path: Path
}

/** What the variables of a request to a remote schema are filled with. */
export interface RemoteVariables {
  /** Variables of the client that are passed on. */
  readonly variables: readonly string[]
  /** Types of those that may contain what the role may not use. */
  readonly checked: ReadonlyMap<string, RemoteTypeRef>
  /** The values of variables that are not the client's. */
  readonly defaults: VariableDefaults
  readonly presets: readonly SessionPreset[]
  readonly merged: readonly MergedValue[]
}

export type VariableDefaults = ReadonlyMap<string, ValueNode>

/** A variable that a session variable fills. */
interface SessionPreset {
  readonly name: string
  /** Lower case. */
  readonly session: string
  readonly type: RemoteTypeRef
}

/** A variable that is made of the client's or a permission's value and of presets of input fields. */
interface MergedValue {
  readonly name: string
  readonly value: ValueNode
  readonly type: RemoteTypeRef
  /** The permission sets it: the role need not see what is in it. */
  readonly isPreset: boolean
}

/** A walk over what is selected of a remote schema. */
export interface RemoteWalk {
  readonly context: Context
  readonly visible: VisibleRemote
  /** Types of the variables, as upstream has them, by name. */
  readonly definitions: Map<string, string>
  readonly variables: Set<string>
  readonly checked: Map<string, RemoteTypeRef>
  readonly presets: SessionPreset[]
  readonly merged: MergedValue[]
  /** Fields that another source or schema answers, by their place, then by type and response key. */
  readonly joins: Map<AskedFields, Map<string, PendingJoin>>
  /** How many there are. */
  joinCount: number
  /** Definitions of fragments that the selection spreads. */
  readonly fragments: string[]
  /** Fragments around the selection that only objects of some type are in. */
  conditions: number
}

/** Begins a walk over a document's fields of one remote schema. */
export const remoteWalk = (context: Context, visible: VisibleRemote): RemoteWalk => ({
  context,
  visible,
  definitions: new Map(),
  variables: new Set(),
  checked: new Map(),
  presets: [],
  merged: [],
  joins: new Map(),
  joinCount: 0,
  fragments: [],
  conditions: 0,
})

/** Returns what the variables of a walk's text are filled with. */
export const variablesOf = ({ context, variables, checked, presets, merged }: RemoteWalk): RemoteVariables => ({
  variables: [...variables],
  checked,
  defaults: new Map(
    [...context.variables.declared].flatMap(([name, { defaultValue }]) =>
      defaultValue ? [[name, defaultValue] as const] : [],
    ),
  ),
  presets,
  merged,
})

/** Returns the definitions of variables that the text of a walk needs. */
export const definitionsOf = ({ definitions }: RemoteWalk): readonly string[] =>
  [...definitions].map(([name, text]) => `$${name}: ${text}`)

/** What response keys begin with that are the engine's own, in requests to remote schemas. */
export const ownAlias = 'svc_join_'
export const nothingAlias = `${ownAlias}nothing`
export const typenameType: RemoteTypeRef = { kind: 'non-null', of: { kind: 'named', name: 'String' } }

/**
 * A field of a remote schema's type that another source or schema answers, with all that is selected of it at its
 * place.
 */
export interface PendingJoin extends SelectedField<JoinMeaning> {
  readonly first: FieldNode
  readonly selections: SelectionNode[]
  readonly keys: readonly string[]
  readonly text: string
}
