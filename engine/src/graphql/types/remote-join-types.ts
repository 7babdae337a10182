/** Fields of tables that other servers and other sources answer (reference/remote-schemas#relationships). */
import {
  type FixedValue,
  type Model,
  type ResolvedRemoteRelationship,
  type ToRemoteField,
  type ToTable,
  type VisibleRemote,
  visibleRemote,
} from '../../model/index.ts'
import {
  fieldKey,
  namedTypeOf,
  outputField,
  publicType,
  type RemoteField,
  type RemoteTypeRef,
} from '../../remote-schemas/index.ts'
import { inputsOf, refOf } from './remote-types.ts'
import type { RoleTable } from './role-table.ts'
import { keyedRowsFields, type RowsForm } from './select-arguments.ts'
import { byName, type Field, type InputField, type InputType, namedField, refTo } from './type.ts'

export type JoinMeaning =
  | {
      readonly kind: 'remote-join'
      readonly relationship: ToRemoteField
      readonly leaf: RemoteLeaf
      /** Types of its arguments that nothing else has. */
      readonly inputs: readonly InputType<null>[]
    }
  | { readonly kind: 'table-join'; readonly as: RowsForm; readonly relationship: ToTable }

/** The field that a relationship shows, as a role sees it. */
export interface RemoteLeaf {
  readonly visible: VisibleRemote
  /** Upstream names. */
  readonly type: string
  readonly field: RemoteField
}

/** What a role sees of a relationship to a remote schema; undefined where some part of its path or arguments is not its. */
export function remoteLeaf(model: Model, role: string, { remote, steps }: ToRemoteField): RemoteLeaf | undefined {
  const visible = visibleRemote(model, role, remote)
  if (!visible) return undefined
  let type = visible.types.roots.query
  let leaf: RemoteLeaf | undefined
  for (const { field: name, args } of steps) {
    const field = outputField(visible.types, type, name)
    if (!field) return undefined
    const presets = visible.presets.args.get(fieldKey(type, name))
    for (const [argument, value] of args) {
      const declared = field.args.get(argument)
      if (!declared && !presets?.has(argument)) return undefined
      if (declared && !isVisibleValue(visible, declared.type, value)) return undefined
    }
    leaf = { visible, type, field }
    type = namedTypeOf(field.type)
  }
  return leaf
}

function isVisibleValue(visible: VisibleRemote, ref: RemoteTypeRef, value: FixedValue): boolean {
  switch (value.kind) {
    case 'variable':
    case 'literal':
      return true
    case 'list':
      return value.items.every((item) => isVisibleValue(visible, ref, item))
    case 'object': {
      const name = namedTypeOf(ref)
      const type = visible.types.types.get(name)
      const presets = visible.presets.inputs.get(name)
      return value.fields.every(([field, inner]) => {
        const declared = type?.kind === 'INPUT_OBJECT' ? type.fields.get(field) : undefined
        return declared ? isVisibleValue(visible, declared.type, inner) : presets?.has(field) === true
      })
    }
  }
}

/**
 * Null where there is no match, and so is its type. Of objects that the relationship sets in part, the client can pass
 * the rest: by types of their own. `owner`: the type that the field belongs to, in their names.
 */
export function remoteJoinField(owner: string, relationship: ToRemoteField, leaf: RemoteLeaf): Field<JoinMeaning> {
  const { visible, field } = leaf
  const fixed = new Map(relationship.steps.at(-1)?.args)
  const trimming: Trimming = { visible, suffix: `_remote_rel_${owner}${relationship.name}`, inputs: new Map() }
  const args = byName(
    [...inputsOf(visible, field.args).values()].flatMap((input) =>
      trimmed(trimming, input, field.args.get(input.name)?.type, fixed.get(input.name)),
    ),
  )
  const meaning = { kind: 'remote-join', relationship, leaf, inputs: [...trimming.inputs.values()] } as const
  return namedField(relationship.name, field.description, refOf(visible, nullable(field.type)), meaning, args)
}

interface Trimming {
  readonly visible: VisibleRemote
  /** Of the names of types. */
  readonly suffix: string
  /** Types made so far, by name. */
  readonly inputs: Map<string, InputType<null>>
}

/** An argument or input field without what the relationship sets; none where nothing of it is left. */
function trimmed(
  trimming: Trimming,
  input: InputField<null>,
  type: RemoteTypeRef | undefined,
  value: FixedValue | undefined,
): readonly InputField<null>[] {
  if (!value || !type) return [input]
  switch (value.kind) {
    case 'variable':
    case 'literal':
      return []
    case 'list':
      return [{ ...input, type: refOf(trimming.visible, nullable(type)) }]
    case 'object': {
      const own = trimmedType(trimming, namedTypeOf(type), new Map(value.fields))
      return own ? [{ ...input, type: refTo(own) }] : []
    }
  }
}

function trimmedType(
  trimming: Trimming,
  name: string,
  fixed: ReadonlyMap<string, FixedValue>,
): InputType<null> | undefined {
  const { visible, suffix, inputs } = trimming
  const type = visible.types.types.get(name)
  if (type?.kind !== 'INPUT_OBJECT') return undefined
  const fields = byName(
    [...inputsOf(visible, type.fields).values()].flatMap((input) =>
      trimmed(trimming, input, type.fields.get(input.name)?.type, fixed.get(input.name)),
    ),
  )
  if (fields.size === 0) return undefined
  const made: InputType<null> = {
    kind: 'INPUT_OBJECT',
    name: `${publicType(visible.remote.naming, name)}${suffix}`,
    description: type.description,
    fields,
  }
  inputs.set(made.name, made)
  return made
}

const nullable = (ref: RemoteTypeRef): RemoteTypeRef => (ref.kind === 'non-null' ? ref.of : ref)

/** Returns the fields of a relationship to rows of another source. */
export const tableJoinFields = (relationship: ToTable, target: RoleTable): readonly Field<JoinMeaning>[] =>
  keyedRowsFields(relationship.name, relationship.form, target, ' to another source', (as) => ({
    kind: 'table-join',
    as,
    relationship,
  }))

/** What a role can follow of a table's relationships to remote schemas. */
export const remoteLeaves = (
  model: Model,
  role: string,
  relationships: ReadonlyMap<string, ResolvedRemoteRelationship>,
): ReadonlyMap<string, RemoteLeaf> =>
  new Map(
    [...relationships].flatMap(([name, relationship]) => {
      const leaf = relationship.kind === 'remote-field' ? remoteLeaf(model, role, relationship) : undefined
      return leaf ? [[name, leaf] as const] : []
    }),
  )
