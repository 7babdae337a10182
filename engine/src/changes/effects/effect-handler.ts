import type { Json, ObjectType } from '@svc/schema'
import type { OpenTransaction } from '../../backends/index.ts'
import type { Path } from '../../errors.ts'
import type { ReadySource } from '../../sources/index.ts'
import type { Transition } from './transition.ts'

/**
 * What a change of metadata does to a source's database, for some kinds of object (docs/architecture.md, "A change with
 * an effect on a source"). Registered where the engine is wired up; operations know nothing of it, so none can forget.
 */
export interface EffectHandler<Value extends Json> {
  /** Names it in logs and warnings: `event-trigger`. */
  readonly kind: string
  /** The kinds of object whose transitions it handles; their names are unique in a source. */
  readonly types: readonly ObjectType[]
  /** Names are unique in a whole database, which may be that of several sources: what a new one is refused with. */
  readonly nameTaken?: (name: string) => string
  /**
   * Pure: what one object's transition has to do in the database; `[]`: nothing. A transition from null must be able to
   * run where it has run before: it is repeated when a database recovers or its metadata is reloaded.
   */
  effectsOf(transition: Transition): readonly Value[]
  /**
   * Runs the effects on one database, in the order of the transitions, inside the transaction that commits after the
   * catalogue did: those of one source, or of several over the same database, one after the other. Throws ApiError at `path` to refuse the change: nothing has happened then. The same effects may run
   * twice in one transaction, when another instance was faster at the catalogue.
   */
  execute(values: readonly Value[], target: EffectTarget): Promise<void>
}

/** Where effects run. */
interface EffectTarget {
  /** The first of them. */
  readonly source: ReadySource
  readonly transaction: OpenTransaction
  /** Metadata has nothing of the source any more, or not even the source. */
  readonly isEmptied: boolean
  /** Of the request's arguments. */
  readonly path: Path
}

/** The effects of one handler on one source. */
export interface PlannedEffects {
  readonly kind: string
  readonly source: string
  readonly values: readonly Json[]
  /** Together with other sources of the same kind, where several sources are one database. */
  execute(target: EffectTarget, others: readonly PlannedEffects[]): Promise<void>
}

/** A handler as the mechanism sees it: without the type of its values. */
export interface SourceEffects {
  readonly kind: string
  readonly types: readonly ObjectType[]
  readonly nameTaken?: (name: string) => string
  /** Null where the transitions, which are of one source, need nothing. */
  plan(source: string, transitions: readonly Transition[]): PlannedEffects | null
}

export function defineEffects<Value extends Json>(handler: EffectHandler<Value>): SourceEffects {
  const { kind, types, nameTaken } = handler
  return {
    kind,
    types,
    ...(nameTaken && { nameTaken }),
    plan(source, transitions) {
      const values = transitions
        .filter(({ type }) => types.includes(type))
        .flatMap((transition) => handler.effectsOf(transition))
      if (values.length === 0) return null
      return {
        kind,
        source,
        values,
        execute: (target, others) =>
          handler.execute([...values, ...others.flatMap((other) => other.values as readonly Value[])], target),
      }
    },
  }
}
