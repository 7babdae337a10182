import type { VariableDefinitionNode } from 'graphql'
import type { Conflict, RootQuery, Write, WriteAnswer } from '../../ir/index.ts'
import type { InputValidation, TableId } from '../../model/index.ts'
import type { IntrospectionAnswer } from '../introspection/plan-introspection.ts'
import type { AskedParts } from '../selection/asked-parts.ts'
import type { Guard } from '../selection/guard.ts'
import type { Input } from '../selection/input.ts'
import type { Template } from '../selection/template.ts'
import type { Use } from '../selection/uses.ts'
import type { VariableCheck } from '../selection/variable-check.ts'
import type { PlannedAction } from './plan-action.ts'
import type { PlannedJoin } from './plan-join.ts'
import type { PlannedRemote } from './remote-walk.ts'

/** What a document means for a role: one query per root field, and what that rests on. */
export interface OperationPlan {
  /** Its root fields on databases are run in a transaction (reference/mutations#transactions). */
  readonly isMutation: boolean
  /** The operation's own. */
  readonly operationName: string | null
  readonly roots: readonly PlannedRoot[]
  /** What is put into the answers of the root fields afterwards. */
  readonly joins: readonly PlannedJoin[]
  /** Other variables may not be supplied. */
  readonly usedVariables: ReadonlySet<string>
  readonly guards: readonly Guard[]
  /** Lists and JSON literals with variables inside, by the name that values use for them. */
  readonly templates: ReadonlyMap<string, Template>
  readonly checks: readonly VariableCheck[]
  /** How many it selects, those of fragments wherever they are used. */
  readonly selections: number
  /** What it rests on. */
  readonly uses: readonly Use[]
  readonly asked: AskedParts
}

export type PlannedRoot =
  | {
      readonly kind: 'database'
      readonly responseKey: string
      readonly source: string
      readonly query: RootQuery
    }
  /** Rows that are updated or deleted. */
  | {
      readonly kind: 'writes'
      readonly responseKey: string
      readonly source: string
      /** Each answers; a text stands where there is nothing to do. */
      readonly groups: readonly WriteGroup[]
      readonly validation: PlannedValidation | null
      /** A list of their answers; else there is one. */
      readonly isList: boolean
    }
  | PlannedUpdates
  | PlannedInsert
  /** An object of root fields. */
  | { readonly kind: 'namespace'; readonly responseKey: string; readonly roots: readonly PlannedRoot[] }
  /** A list of what these answer. */
  | { readonly kind: 'list'; readonly responseKey: string; readonly roots: readonly PlannedRoot[] }
  /** `__typename`, the placeholder. */
  | { readonly kind: 'text'; readonly responseKey: string; readonly text: string }
  | PlannedAction
  | PlannedRemote
  | { readonly kind: 'introspection'; readonly responseKey: string; readonly answer: IntrospectionAnswer }

/** A root field that a database answers. */
export const databaseRoot = (responseKey: string, source: string, query: RootQuery): PlannedRoot => ({
  kind: 'database',
  responseKey,
  source,
  query,
})

export type WriteGroup = Write | { readonly text: string }

/** What a webhook checks before anything is written (reference/mutations#validation-of-input). */
export interface PlannedValidation {
  readonly by: InputValidation
  /** A list. */
  readonly input: Template
}

/** Updates that come in a variable: each is planned when a request first has one of its shape. */
export interface PlannedUpdates {
  readonly kind: 'updates'
  readonly responseKey: string
  readonly source: string
  readonly table: TableId
  readonly variable: string
  readonly keys: readonly (string | number)[]
  /** Of the list. */
  readonly path: readonly (string | number)[]
  readonly answer: WriteAnswer
  readonly validation: PlannedValidation | null
}

/** Rows to be inserted: what they are is read with each request, since it shapes the statements and not the plan. */
export interface PlannedInsert {
  readonly kind: 'insert'
  readonly responseKey: string
  readonly source: string
  readonly table: TableId
  /** Null or a row; else a response. */
  readonly isOne: boolean
  readonly input: Input
  readonly declared: ReadonlyMap<string, VariableDefinitionNode>
  readonly path: readonly (string | number)[]
  readonly conflict: Conflict | null
  readonly answer: WriteAnswer
}
