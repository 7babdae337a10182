import type { CompiledQuery, TypeSystem } from '../backends/index.ts'
import type { Plan, PlannedRoot } from '../graphql/index.ts'
import type { Model } from '../model/index.ts'

/** A plan with its statements: all that a request needs beside its variables and session. */
export interface PreparedPlan {
  /** The queries are with the statements. */
  readonly plan: Omit<Plan, 'roots'>
  readonly roots: readonly PreparedRoot[]
  /** The setting that the statements were compiled with. */
  readonly stringifyNumericTypes: boolean
  /** About how many bytes of memory it holds. */
  readonly size: number
}

export type PreparedRoot =
  | {
      readonly kind: 'database'
      readonly responseKey: string
      readonly source: string
      readonly types: TypeSystem
      readonly compiled: CompiledQuery
    }
  | { readonly kind: 'namespace'; readonly responseKey: string; readonly roots: readonly PreparedRoot[] }
  | Exclude<PlannedRoot, { readonly kind: 'database' | 'namespace' }>

/** Compiles a plan's queries for the sources they go to. */
export function preparePlan(plan: Plan, model: Model): PreparedPlan {
  const { stringifyNumericTypes } = model.input.settings
  const prepare = (root: PlannedRoot): PreparedRoot => {
    if (root.kind === 'namespace') return { ...root, roots: root.roots.map(prepare) }
    if (root.kind !== 'database') return root
    const source = model.input.sources.get(root.source)
    if (!source) throw new Error(`the plan reaches source ${root.source}, which the model lacks`)
    return {
      kind: 'database',
      responseKey: root.responseKey,
      source: root.source,
      types: source.backend.types,
      compiled: source.backend.compileQuery(root.query, { stringifyNumericTypes }),
    }
  }
  const roots = plan.roots.map(prepare)
  const { roots: _, ...kept } = plan
  return { plan: kept, roots, stringifyNumericTypes, size: sizeOf(kept, roots) }
}

const overhead = 3_000
/** A statement is held as text and as the query that it was made of, for explain. */
const perCharacter = 3
const perSlot = 300
const perGuard = 200

function sizeOf(plan: PreparedPlan['plan'], roots: readonly PreparedRoot[]): number {
  return labelled(roots).reduce(
    (sum, { root }) =>
      sum +
      (root.kind === 'database'
        ? perCharacter * root.compiled.text.length + perSlot * root.compiled.slots.length
        : 500),
    overhead + perGuard * (plan.guards.length + plan.templates.size + plan.uses.tables.size),
  )
}

export interface LabelledRoot {
  /** Its response key; in a namespace `ns.key` (spec 02 §1.9). */
  readonly label: string
  readonly root: Exclude<PreparedRoot, { readonly kind: 'namespace' }>
}

/** The roots that something runs for, those in namespaces as well. */
export const labelled = (roots: readonly PreparedRoot[]): readonly LabelledRoot[] =>
  roots.flatMap((root) =>
    root.kind === 'namespace'
      ? labelled(root.roots).map((inner) => ({ ...inner, label: `${root.responseKey}.${inner.label}` }))
      : [{ label: root.responseKey, root }],
  )
