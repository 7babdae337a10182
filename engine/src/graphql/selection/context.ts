import type { FragmentDefinitionNode } from 'graphql'
import { invalid, Path } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import type { TableId } from '../../model/index.ts'
import { tooDeep } from '../document/too-deep.ts'
import type { GraphqlSettings } from '../settings.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import type { TableTypes } from '../types/table-types.ts'
import type { WriteTypes } from '../types/write-types.ts'
import type { AskedParts } from './asked-parts.ts'
import type { Template } from './template.ts'
import { Uses } from './uses.ts'
import type { VariableCheck } from './variable-check.ts'
import type { Variables } from './variables.ts'

/** What one walk over a document reads and gathers. Only the walk changes it. */
export interface Context {
  readonly schema: RoleSchema
  readonly settings: GraphqlSettings
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Variables
  readonly templates: Map<string, Template>
  readonly checks: VariableCheck[]
  /** What the plan rests on. */
  readonly uses: Uses
  /** What it requests; null: of a part of an operation whose plan has said it. */
  readonly asked: AskedParts | null
  /** Joins to other servers and sources: how many so far, and how many inside one another the walk is in. */
  joinCount: number
  joinDepth: number
  depth: number
  /** Lists of types inside one another, in introspection. */
  nestedTypeLists: number
  selections: number
  inputNodes: number
  literals: number
}

export const contextOf = (
  schema: RoleSchema,
  settings: GraphqlSettings,
  fragments: Context['fragments'],
  variables: Variables,
  asked: AskedParts | null = null,
): Context => ({
  schema,
  settings,
  fragments,
  variables,
  templates: new Map(),
  checks: [],
  uses: new Uses(schema.model, schema, schema.api),
  asked,
  joinCount: 0,
  joinDepth: 0,
  depth: 0,
  nestedTypeLists: 0,
  selections: 0,
  inputNodes: 0,
  literals: 0,
})

/** The types of a table the walk has reached; remembered, since the plan now rests on them. */
export function useTable(context: Context, id: TableId): TableTypes {
  const types = context.schema.tableTypes(id)
  if (!types) throw new Error(`the walk reached table ${id}, which the role does not see`)
  context.uses.add('table', id)
  context.asked?.permission({ kind: 'select', table: id })
  return types
}

/** Returns the types of writing to a table that the walk has reached. */
export function writtenTypes(schema: RoleSchema, id: TableId): WriteTypes {
  const types = schema.writeTypes(id)
  if (!types) throw new Error(`the walk reached table ${id}, which the role cannot write to`)
  return types
}

/** Runs a step one level deeper; throws validation-failed when that is too deep. */
export function deeper<T>(context: Context, path: Path, step: () => T): T {
  context.depth++
  if (context.depth > context.settings.maxDepth) throw tooDeep(path, context.settings.maxDepth)
  const result = step()
  context.depth--
  return result
}

/** `step` has not begun: a generator begins with the first call of `next`. */
export function* deeperLong<T>(context: Context, path: Path, step: LongWork<T>): LongWork<T> {
  context.depth++
  if (context.depth > context.settings.maxDepth) throw tooDeep(path, context.settings.maxDepth)
  const result = yield* step
  context.depth--
  return result
}

export function countSelection(context: Context, more = 1): void {
  context.selections += more
  if (context.selections > context.settings.maxSelections)
    throw invalid(
      Path.root.at('query'),
      `the query selects too much: at most ${context.settings.maxSelections} fields are allowed, those of fragments counted wherever they are used`,
    )
}

export function countInput(context: Pick<Context, 'inputNodes' | 'settings'>, path: Path): void {
  context.inputNodes++
  if (context.inputNodes > context.settings.maxInputNodes)
    throw invalid(
      path,
      `the arguments are too large: at most ${context.settings.maxInputNodes} objects and list entries are allowed`,
    )
}

/** Literals of scalars, long ones counted for every 200 characters; a fragment may bring the same list of 50,000 to thousands of places. Throws validation-failed. */
export function countLiterals(context: Context, count: number, path: Path): void {
  context.literals += count
  if (context.literals > context.settings.maxTokens)
    throw invalid(
      path,
      `the arguments are too large: at most ${context.settings.maxTokens} literals are allowed, those of fragments counted wherever they are used`,
    )
}
