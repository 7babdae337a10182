import type { CompiledQuery, InsertBinder, PreparedWrite, Statement, TypeSystem } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import type {
  ActionOutput,
  AskedParts,
  OperationPlan,
  PlannedAction,
  PlannedInsert,
  PlannedJoin,
  PlannedRoot,
  PlannedUpdates,
  PlannedValidation,
} from '../graphql/index.ts'
import type { Write } from '../ir/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Model } from '../model/index.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import { heapSize } from './heap-size.ts'
import { type JoinTree, joinTree } from './join-tree.ts'
import { queryTag, tagsOf, tagsText } from './query-tags.ts'
import type { Tally } from './tally.ts'
import { type PreparedGroup, UpdateShapes } from './update-shapes.ts'
import { writesOf } from './writes-of.ts'

/** A plan with its statements: all that a request needs in addition to its variables and session. */
export interface PreparedPlan {
  /** The queries are with the statements. */
  readonly plan: Omit<OperationPlan, 'roots' | 'joins' | 'asked'>
  /** Null: its executions are not counted. */
  readonly tally: Tally | null
  /** What its executions have requested; null: it does not depend on their values, or they are not counted. */
  readonly asked: AskedParts | null
  readonly roots: readonly PreparedRoot[]
  /** What is put into the answers; null: nothing, and they pass as they are. */
  readonly joins: JoinTree | null
  /** The setting that the statements were compiled with. */
  readonly stringifyNumericTypes: boolean
  /** What the sources that it queries say in their SQL. */
  readonly queryTags: { readonly sources: readonly string[]; readonly text: string }
  /** About how many bytes of memory it uses. */
  readonly size: number
}

/** `S`: what is cached of a root's statement. */
export type PreparedRoot<S = Statement> =
  | {
      readonly kind: 'database'
      readonly responseKey: string
      readonly source: string
      readonly types: TypeSystem
      readonly compiled: S
    }
  | PreparedWrites
  | PreparedUpdates
  | PreparedInsert
  | { readonly kind: Nesting['kind']; readonly responseKey: string; readonly roots: readonly PreparedRoot<S>[] }
  | PlannedAction<S>
  | Exclude<PlannedRoot, { readonly source: string } | { readonly kind: 'action' } | Nesting>

/** Updates and deletes. */
export interface PreparedWrites {
  readonly kind: 'writes'
  readonly responseKey: string
  readonly source: string
  readonly types: TypeSystem
  readonly groups: readonly PreparedGroup[]
  readonly validation: PlannedValidation | null
  readonly isList: boolean
}

/** Updates that come in a variable. */
export interface PreparedUpdates extends PlannedUpdates {
  readonly types: TypeSystem
  readonly shapes: UpdateShapes
  prepare(write: Write): PreparedWrite
}

/** An insert, whose rows come with each request. */
export interface PreparedInsert extends PlannedInsert {
  readonly types: TypeSystem
  readonly inserts: InsertBinder
}

/** A root field that writes. */
export type WrittenRoot = PreparedWrites | PreparedUpdates | PreparedInsert

export const isWritten = (root: PreparedRoot): root is WrittenRoot =>
  root.kind === 'insert' || root.kind === 'writes' || root.kind === 'updates'

/** Root fields inside one. */
type Nesting = Extract<PlannedRoot, { readonly roots: unknown }>

/** Compiles a plan's queries for the sources they go to, and forgets the queries; each root field by itself. */
export function* preparePlan(
  plan: OperationPlan,
  model: Model,
  request: Pick<GraphqlRequest, 'query' | 'operationName'>,
): LongWork<Omit<PreparedPlan, 'tally' | 'asked'>> {
  const compile = rootCompiler(plan, model, slim, ({ source, responseKey }) => {
    const tags = tagsOf(model, source)
    return tags === null ? undefined : queryTag(tags, responseKey, request)
  })
  const roots: PreparedRoot[] = []
  for (const root of plan.roots) {
    roots.push(compile(root))
    yield 1
  }
  const { roots: _, joins: planned, templates, asked: __, ...rest } = plan
  const kept = { ...rest, templates: orEmpty(templates) }
  const { stringifyNumericTypes } = model.input.settings
  const sources = [...new Set(labelled(roots).flatMap(({ root }) => ('source' in root ? [root.source] : [])))]
  const queryTags = { sources, text: tagsText(model, sources) }
  const compiledJoins = planned.map((join) => compileJoin(join, model))
  yield 1
  const size = sizeOf(kept, roots) + compiledJoins.reduce((sum, join) => sum + perJoin + 2 * heapSize(join), 0)
  return { plan: kept, roots, joins: joinTree(compiledJoins), stringifyNumericTypes, queryTags, size }
}

function compileJoin(join: PlannedJoin, model: Model): PlannedJoin<Statement> {
  if (join.kind === 'remote') return join
  const { stringifyNumericTypes, maxQueryJoins } = model.input.settings
  const options = { stringifyNumericTypes, ...(maxQueryJoins !== undefined && { mostJoins: maxQueryJoins }) }
  const { rows } = join
  const backend = model.input.sources.get(rows.source)?.backend
  if (!backend) throw new Error(`the plan reaches source ${rows.source}, which is not served`)
  return { ...join, rows: { ...rows, query: slim(backend.compileQuery(rows.query, options)) } }
}

/** What is cached of a compiled query. */
const slim = ({ text, slots, effects, shape }: CompiledQuery, tag = ''): Statement => ({
  text: text + tag,
  slots,
  effects,
  ...(shape && { shape }),
})

/** The same with all that a backend says of each query. */
export const compileRoots = <S>(
  plan: OperationPlan,
  model: Model,
  keep: (compiled: CompiledQuery) => S,
): readonly PreparedRoot<S>[] => {
  const compile = rootCompiler(plan, model, keep, () => undefined)
  return plan.roots.map((root) => compile(root))
}

/** `tagOf`: what stands behind the SQL of a root field (set_query_tags). */
function rootCompiler<S>(
  { isMutation }: OperationPlan,
  model: Model,
  keep: (compiled: CompiledQuery, tag?: string) => S,
  tagOf: (root: { readonly source: string; readonly responseKey: string }) => string | undefined,
): (root: PlannedRoot) => PreparedRoot<S> {
  const { stringifyNumericTypes, maxQueryJoins } = model.input.settings
  const options = { stringifyNumericTypes, ...(maxQueryJoins !== undefined && { mostJoins: maxQueryJoins }) }
  const prepare = (root: PlannedRoot, parent: Path): PreparedRoot<S> => {
    const path = parent.at('selectionSet', root.responseKey)
    if ('roots' in root) return { ...root, roots: root.roots.map((inner) => prepare(inner, path)) }
    if (root.kind === 'action')
      return { ...root, fields: root.fields?.map((field) => at(path, () => prepareOutput(field))) ?? null }
    if (!('source' in root)) return root
    const { responseKey } = root
    const backend = model.input.sources.get(root.source)?.backend
    if (!backend) throw new Error(`the plan reaches source ${root.source}, which is not served`)
    const { types } = backend
    const tag = tagOf(root)
    const own = tag === undefined ? options : { ...options, tag }
    const prepareWrite = (write: Write) => writesOf(backend).prepare(write, own)
    switch (root.kind) {
      case 'database': {
        const { source, query } = root
        if (!isMutation) {
          const compiled = keep(
            at(path, () => backend.compileQuery(query, options)),
            tag,
          )
          return { kind: 'database', responseKey, source, types, compiled }
        }
        const call = at(path, () => prepareWrite({ kind: 'call', query }))
        return { kind: 'writes', responseKey, source, types, groups: [call], validation: null, isList: false }
      }
      case 'writes': {
        const groups = root.groups.map((group) => ('text' in group ? group : prepareWrite(group)))
        return { ...root, types, groups }
      }
      case 'updates':
        return { ...root, types, shapes: new UpdateShapes(), prepare: prepareWrite }
      case 'insert':
        return { ...root, types, inserts: writesOf(backend).prepareInserts(root.answer, own) }
    }
  }
  const prepareOutput = (output: ActionOutput): ActionOutput<S> => {
    switch (output.kind) {
      case 'join': {
        const source = model.input.sources.get(output.source)
        if (!source?.backend) throw new Error(`the plan reaches source ${output.source}, which the model lacks`)
        return { ...output, query: keep(source.backend.compileQuery(output.query, options)) }
      }
      case 'object':
        return { ...output, fields: output.fields.map(prepareOutput) }
      case 'output':
        return { ...output, fields: output.fields?.map(prepareOutput) ?? null }
      case 'typename':
      case 'value':
      case 'own':
        return output
    }
  }
  return (root) => prepare(root, Path.root)
}

/** What is refused of a root field's statement is refused at the field. */
function at<Result>(path: Path, compile: () => Result): Result {
  try {
    return compile()
  } catch (error) {
    throw error instanceof ApiError ? error.under(path) : error
  }
}

const empty: ReadonlyMap<never, never> = new Map<never, never>()

/** An empty map takes 200 bytes. */
const orEmpty = <K, V>(map: ReadonlyMap<K, V>): ReadonlyMap<K, V> => (map.size === 0 ? empty : map)

/** With what the connection remembers of each statement. */
const overhead = 1_200
const perRoot = 500
/** Its place, and its text to compare with others. */
const perJoin = 2_000
const perUse = 100
const perVariable = 60
/** A selection of introspection is cached as what prints it. */
const perSelection = 470

function sizeOf(plan: PreparedPlan['plan'], roots: readonly PreparedRoot[]): number {
  const { guards, checks, templates, uses, usedVariables } = plan
  const own = heapSize(guards) + heapSize(checks) + heapSize(templates)
  const used = perUse * uses.length + perVariable * usedVariables.size
  return labelled(roots).reduce(
    (sum, { root }) => sum + perRoot + rootSize(root, plan.selections),
    overhead + own + used,
  )
}

function rootSize(root: LabelledRoot['root'], selections: number): number {
  switch (root.kind) {
    case 'database':
      return heapSize(root.compiled.text) + heapSize(root.compiled.slots) + heapSize(root.compiled.shape)
    case 'writes':
      return root.groups.reduce((sum, group) => sum + heapSize('text' in group ? group.text : group.statements), 0)
    case 'updates':
      return perInsert + heapSize(root.answer)
    case 'insert':
      return perInsert + heapSize(root.answer) + heapSize(root.conflict) + literalSize(root)
    case 'introspection':
      return perSelection * selections
    case 'text':
      return 0
    case 'remote':
      return heapSize(root.rest) + perRoot
    case 'action':
      return heapSize(root.fields) + heapSize([...root.input])
  }
}

/** With the statements of the shapes that its rows come in. */
const perInsert = 6_000
/** Bytes that a character of the document takes as a node, about. */
const perCharacter = 20

function literalSize({ input }: PreparedInsert): number {
  if (input.kind === 'json' || !input.node.loc) return 0
  return (input.node.loc.end - input.node.loc.start) * perCharacter
}

export interface LabelledRoot<S = Statement> {
  /**
   * Its response key; in a namespace `ns.key` (reference/graphql-schema#customization-of-a-source), in a list `key[0]`.
   */
  readonly label: string
  readonly root: Exclude<PreparedRoot<S>, { readonly roots: unknown }>
}

/** The roots that something runs for, those in namespaces as well. */
export const labelled = <S>(roots: readonly PreparedRoot<S>[]): readonly LabelledRoot<S>[] =>
  roots.flatMap((root) => {
    if (!('roots' in root)) return [{ label: root.responseKey, root }]
    return labelled(root.roots).map((inner, i) => ({
      ...inner,
      label: `${root.responseKey}${root.kind === 'list' ? `[${i}]` : `.${inner.label}`}`,
    }))
  })
