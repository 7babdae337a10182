import type { ValueNode } from 'graphql'
import type { FixedValue, ToRemoteField } from '../../model/index.ts'
import { fieldKey, namedTypeOf, outputField, type Preset, type RemoteTypeRef } from '../../remote-schemas/index.ts'
import { askInput } from '../selection/ask-input.ts'
import type { Context } from '../selection/context.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { RemoteLeaf } from '../types/remote-join-types.ts'
import { type AskedFields, askField } from './asked-fields.ts'
import { expectedAnswer } from './expected-answer.ts'
import { selectionText } from './plan-remote.ts'
import { argumentsText, checkGiven, upstreamArgument, withoutNulls } from './remote-arguments.ts'
import { planPendingJoins } from './remote-type-join.ts'
import {
  definitionsOf,
  type PlannedRemote,
  type RemoteVariables,
  type RemoteWalk,
  remoteWalk,
  variablesOf,
} from './remote-walk.ts'

/** A field of a remote schema queried once for each tuple of values, all in one request. */
export interface PlannedRemoteJoin extends RemoteVariables, Pick<PlannedRemote, 'remote' | 'expected' | 'path'> {
  /** Names of the values to join by, in the order of the join's keys. */
  readonly lhs: readonly string[]
  /** From the query root down. */
  readonly steps: readonly RemoteJoinStep[]
  /** Definitions of variables that all tuples share. */
  readonly definitions: readonly string[]
  /** What the names of the tuples' own variables begin with. */
  readonly prefix: string
  /** The selection set of the last field, without braces; empty for a leaf. */
  readonly selection: string
  /** Definitions of fragments that it spreads. */
  readonly fragments: string
  /** The type of the last field. */
  readonly type: string
}

interface RemoteJoinStep {
  readonly field: string
  /** Arguments that are the same for all tuples, as text. */
  readonly shared: string
  readonly fixed: readonly FixedArgument[]
}

/** An argument that the relationship sets, perhaps with more from the client. */
export interface FixedArgument {
  readonly name: string
  readonly type: RemoteTypeRef
  readonly value: FixedValue
  readonly given: ValueNode | null
  /** The permission's preset: it applies where the relationship sets nothing. */
  readonly preset: Preset | null
}

/**
 * Plans a relationship to a field of a remote schema, its arguments and what is selected of it. Throws
 * validation-failed.
 */
export function planRemoteJoin(
  context: Context,
  { args, selections, path }: SelectedField<unknown>,
  { remote, lhs, steps }: ToRemoteField,
  { visible, type: leafType, field }: RemoteLeaf,
): PlannedRemoteJoin {
  context.uses.add('remote', remote)
  for (const given of args.values()) askInput(context, given.field.type, given.raw)
  const walk = remoteWalk(context, visible)
  const types: RemoteTypeRef[] = []
  let type = visible.remote.types.roots.query
  const planned = steps.map((step, i): RemoteJoinStep => {
    const isLast = i === steps.length - 1
    const declared = outputField(visible.remote.types, type, step.field)
    if (!declared) throw new Error(`remote schema ${remote} has no field ${type}.${step.field}`)
    const owner = isLast ? leafType : type
    const presets = visible.presets.args.get(fieldKey(owner, step.field))
    const fixed = step.args.map(([name, value]) => {
      const given = isLast ? args.get(name) : undefined
      if (given) checkGiven(walk, given)
      const raw = given?.raw.kind === 'node' ? given.raw.node : null
      const node = raw && context.settings.skipsRemoteNulls ? (withoutNulls(raw) ?? null) : raw
      const preset = presets?.get(name) ?? null
      return { name, value, given: node, preset, type: upstreamArgument(visible, owner, step.field, name) }
    })
    const names = new Set(step.args.map(([name]) => name))
    const rest = isLast ? new Map([...args].filter(([name]) => !names.has(name))) : new Map()
    const visibleField = isLast ? field : declared
    const shared = argumentsText(walk, owner, visibleField, rest, names)
    type = namedTypeOf(declared.type)
    types.push(declared.type)
    return { field: step.field, shared, fixed }
  })
  const asked: AskedFields = new Map()
  const askedBelow = askSteps(asked, planned, types)
  const inside =
    selections.length === 0
      ? ''
      : selectionText(walk, namedTypeOf(field.type), selections, path.at('selectionSet'), askedBelow)
  planPendingJoins(walk)
  const first = asked.get(planned[0]?.field ?? '')
  if (!first) throw new Error(`a relationship to remote schema ${remote} has no field`)
  return {
    remote,
    lhs,
    steps: planned,
    definitions: definitionsOf(walk),
    prefix: freePrefix(walk),
    selection: inside,
    fragments: walk.fragments.join(''),
    type: namedTypeOf(field.type),
    ...variablesOf(walk),
    expected: expectedAnswer(visible.remote, first),
    path,
  }
}

/** Requests the fields on the way and returns what is requested below the last one. */
function askSteps(asked: AskedFields, steps: readonly RemoteJoinStep[], types: readonly RemoteTypeRef[]): AskedFields {
  let below = asked
  for (const [i, { field }] of steps.entries())
    below = askField(below, field, { types: types.slice(i, i + 1), isRequired: true })
  return below
}

function freePrefix({ definitions }: RemoteWalk): string {
  let prefix = 'svc_join'
  while ([...definitions.keys()].some((name) => name.startsWith(prefix))) prefix += '_'
  return prefix
}
