/**
 * The types of remote schemas as a role sees them, under their public names (reference/remote-schemas#names,
 * reference/remote-schemas#permissions-of-roles).
 */

import { keptForEach } from '../../kept-for.ts'
import { type VisibleRemote, visibleRemote } from '../../model/index.ts'
import {
  possibleTypes,
  publicField,
  publicType,
  type RemoteField,
  type RemoteInput,
  type RemoteTypeRef,
} from '../../remote-schemas/index.ts'
import type { RoleSchema } from './role-schema.ts'
import { booleanRef, floatRef, idRef, intRef, stringRef } from './scalar-types.ts'
import {
  argument,
  byName,
  type Field,
  type FieldSet,
  type InputField,
  lazyFields,
  lazyRef,
  type NamedType,
  namedField,
  type TypeRef,
} from './type.ts'

/** A field below a root field of a remote schema. */
export interface RemoteMeaning {
  readonly kind: 'remote-field'
  readonly visible: VisibleRemote
  /** Upstream names. */
  readonly type: string
  readonly field: string
}

/** A type as upstream has it, by its upstream name; undefined where the role does not see it. */
export const plainRemoteType = keptForEach(makeType)

function makeType(visible: VisibleRemote, name: string): NamedType | undefined {
  const { types, remote } = visible
  const type = types.types.get(name)
  const shown = { name: publicType(remote.naming, name), description: type?.description ?? null }
  switch (type?.kind) {
    case undefined:
      return undefined
    case 'SCALAR':
      return { kind: 'SCALAR', ...shown }
    case 'ENUM':
      return { kind: 'ENUM', ...shown, values: type.values }
    case 'UNION':
      return { kind: 'UNION', ...shown, possible: possibleRefs(visible, name) }
    case 'INTERFACE': {
      const fields = fieldsOf(visible, name, type.fields)
      return { kind: 'INTERFACE', ...shown, fields, possible: possibleRefs(visible, name) }
    }
    case 'INPUT_OBJECT':
      return { kind: 'INPUT_OBJECT', ...shown, fields: inputsOf(visible, type.fields) }
    case 'OBJECT': {
      const interfaces = type.interfaces.flatMap((one) => {
        const found = plainRemoteType(visible, one)
        return found?.kind === 'INTERFACE' ? [found] : []
      })
      const fields = fieldsOf(visible, name, type.fields)
      return { kind: 'OBJECT', ...shown, fields, ...(interfaces.length > 0 && { interfaces }) }
    }
  }
}

const possibleRefs = (visible: VisibleRemote, name: string): readonly TypeRef[] =>
  possibleTypes(visible.types, name).map((one) => refOf(visible, { kind: 'named', name: one }))

/** Returns fields that are made when they are requested, since types mention each other. */
function fieldsOf(
  visible: VisibleRemote,
  type: string,
  fields: ReadonlyMap<string, RemoteField>,
): FieldSet<RemoteMeaning> {
  return lazyFields(() => [...fields.values()].map((own) => fieldOf(visible, type, own)))
}

export function fieldOf(visible: VisibleRemote, type: string, own: RemoteField): Field<RemoteMeaning> {
  const name = publicField(visible.remote.naming, type, own.name)
  const meaning = { kind: 'remote-field', visible, type, field: own.name } as const
  return namedField(name, own.description, refOf(visible, own.type), meaning, inputsOf(visible, own.args))
}

export const inputsOf = (
  visible: VisibleRemote,
  inputs: ReadonlyMap<string, RemoteInput>,
): ReadonlyMap<string, InputField<null>> =>
  byName(
    [...inputs.values()].map(({ name, description, type, defaultValue }) =>
      argument(name, description, refOf(visible, type), defaultValue),
    ),
  )

const builtIn: Readonly<Record<string, TypeRef>> = Object.assign(Object.create(null), {
  Int: intRef,
  Float: floatRef,
  String: stringRef,
  Boolean: booleanRef,
  ID: idRef,
})

export function refOf(visible: VisibleRemote, ref: RemoteTypeRef): TypeRef {
  switch (ref.kind) {
    case 'list':
      return { kind: 'list', of: refOf(visible, ref.of) }
    case 'non-null':
      return { kind: 'non-null', of: refOf(visible, ref.of) }
    case 'named': {
      const { name } = ref
      const own = visible.types.types.get(name) ?? visible.remote.types.types.get(name)
      const shown = publicType(visible.remote.naming, name)
      if (!own || (own.kind === 'SCALAR' && builtIn[shown])) return builtIn[shown] ?? scalarRef(shown)
      return lazyRef(shown, own.kind, (types) => types.remoteType(visible, name) ?? scalar(shown))
    }
  }
}

const scalar = (name: string): NamedType => ({ kind: 'SCALAR', name, description: null })
const scalarRef = (name: string): TypeRef => lazyRef(name, 'SCALAR', () => scalar(name))

/** Returns every type of the remote schemas that a role sees, and the types of the arguments of their relationships. */
export function remoteTypesOf(schema: RoleSchema): readonly NamedType[] {
  const { model, role } = schema
  return [...(model.input.remotes?.keys() ?? [])].flatMap((name) => {
    const visible = visibleRemote(model, role, name)
    if (!visible) return []
    const { roots } = visible.types
    const isRoot = (type: string) => [roots.query, roots.mutation, roots.subscription].includes(type)
    return [...visible.types.types.keys()].flatMap((type) => {
      // roots become part of ours, or are found as the types of their namespaces
      const found = isRoot(type) ? undefined : schema.remoteType(visible, type)
      return found ? [found, ...joinInputs(found)] : []
    })
  })
}

const joinInputs = (type: NamedType): readonly NamedType[] =>
  type.kind === 'OBJECT'
    ? [...type.fields.values()].flatMap(({ meaning }) => (isRemoteJoin(meaning) ? meaning.inputs : []))
    : []

const isRemoteJoin = (meaning: unknown): meaning is { readonly inputs: readonly NamedType[] } =>
  typeof meaning === 'object' && meaning !== null && 'kind' in meaning && meaning.kind === 'remote-join'
