import {
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  GraphQLError,
  type InputValueDefinitionNode,
  Kind,
  parse,
  print,
  type SchemaDefinitionNode,
  type TypeDefinitionNode,
  type TypeNode,
} from 'graphql'
import { ApiError, Path } from '../../errors.ts'
import {
  builtInScalars,
  type RemoteField,
  type RemoteInput,
  type RemoteRoots,
  type RemoteType,
  type RemoteTypeRef,
  type RemoteTypes,
  refText,
} from '../remote-types.ts'
import { normalText } from './normal-permission.ts'
import { fieldKey, type Preset, type Presets } from './preset.ts'
import { readPreset } from './read-preset.ts'
import { withoutWholePresets } from './whole-presets.ts'

/** What a role may use of a remote schema, under upstream names: arguments and input fields with presets left out. */
export interface PermittedTypes extends RemoteTypes {
  readonly presets: Presets
  /** The same for permissions that say the same. */
  readonly text: string
}

/**
 * A permission's SDL against the schema that the remote has (reference/remote-schemas#permissions-of-roles). Throws
 * validation-failed with everything that is no subset of it; parse-failed for a text that is no SDL.
 */
export function readPermission(sdl: string, upstream: RemoteTypes, headerPrefix?: string): PermittedTypes {
  const reader = new PermissionReader(upstream, headerPrefix)
  const document = parseSdl(sdl)
  const permitted = { ...reader.read(document), text: normalText(document) }
  const [first, ...others] = reader.problems
  if (first === undefined) return permitted
  const reasons =
    others.length === 0
      ? `because ${first}`
      : `for the following reasons:\n${reader.problems.map((problem) => ` • ${problem}\n`).join('')}`
  throw new ApiError('validation-failed', Path.root, `validation for the given role-based schema failed ${reasons}`)
}

function parseSdl(sdl: string): DocumentNode {
  try {
    return parse(sdl, { noLocation: true, maxTokens: 1_000_000 })
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause
    throw new ApiError('parse-failed', Path.root, `the schema of the permission is not SDL: ${cause.message}`)
  }
}

const kindNames = {
  [Kind.SCALAR_TYPE_DEFINITION]: ['SCALAR', 'Scalar'],
  [Kind.OBJECT_TYPE_DEFINITION]: ['OBJECT', 'Object'],
  [Kind.INTERFACE_TYPE_DEFINITION]: ['INTERFACE', 'Interface'],
  [Kind.UNION_TYPE_DEFINITION]: ['UNION', 'Union'],
  [Kind.ENUM_TYPE_DEFINITION]: ['ENUM', 'Enum'],
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: ['INPUT_OBJECT', 'Input object'],
} as const

class PermissionReader {
  readonly problems: string[] = []
  readonly #upstream: RemoteTypes
  readonly #headerPrefix: string | undefined
  readonly #args = new Map<string, ReadonlyMap<string, Preset>>()
  readonly #inputs = new Map<string, ReadonlyMap<string, Preset>>()

  constructor(upstream: RemoteTypes, headerPrefix: string | undefined) {
    this.#upstream = upstream
    this.#headerPrefix = headerPrefix
  }

  read({ definitions }: DocumentNode): Omit<PermittedTypes, 'text'> {
    const nodes = definitions.filter(isTypeDefinition)
    const names = nodes.map(({ name }) => name.value)
    this.#refuseTwice(names, (twice) => `duplicate type names found: ${twice}`)
    const types = new Map<string, RemoteType>()
    for (const node of nodes) {
      const type = this.#readType(node)
      if (type) types.set(type.name, type)
    }
    for (const node of nodes) this.#checkReferences(node, new Set(names))
    for (const { kind } of definitions.filter((one) => !isTypeDefinition(one) && one.kind !== Kind.SCHEMA_DEFINITION))
      this.#report(`a ${kind} has no place in the schema of a permission`)
    const roots = this.#readRoots(definitions, types)
    const presets = { args: this.#args, inputs: this.#inputs }
    return { ...withoutWholePresets(types, presets), roots }
  }

  #report(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }

  #refuseTwice(names: readonly string[], say: (twice: string) => string): void {
    const twice = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))]
    if (twice.length > 0) this.#report(say(quoted(twice)))
  }

  #readType(node: TypeDefinitionNode): RemoteType | null {
    const name = node.name.value
    const [kind, shown] = kindNames[node.kind]
    const upstream = this.#upstream.types.get(name)
    this.#refusePresets(node.directives)
    if (node.kind === Kind.SCALAR_TYPE_DEFINITION && builtInScalars.has(name))
      return { kind: 'SCALAR', name, description: null }
    if (upstream?.kind !== kind) {
      this.#report(`"${shown}": "${name}" does not exist in the upstream remote schema`)
      return null
    }
    switch (node.kind) {
      case Kind.SCALAR_TYPE_DEFINITION:
        return upstream
      case Kind.ENUM_TYPE_DEFINITION:
        return upstream.kind === 'ENUM'
          ? {
              ...upstream,
              values: this.#readValues(name, node.values?.map((one) => one.name.value) ?? [], upstream.values),
            }
          : null
      case Kind.UNION_TYPE_DEFINITION:
        return upstream.kind === 'UNION'
          ? {
              ...upstream,
              members: this.#readMembers(name, node.types?.map((one) => one.name.value) ?? [], upstream.members),
            }
          : null
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_DEFINITION: {
        if (upstream.kind !== 'OBJECT' && upstream.kind !== 'INTERFACE') return null
        const fields = this.#readFields(shown, name, node.fields ?? [], upstream.fields)
        const interfaces = node.interfaces?.map((one) => one.name.value) ?? []
        const unknown = interfaces.filter((one) => !upstream.interfaces.includes(one))
        if (unknown.length > 0)
          this.#report(
            `"${shown}": "${name}" implements interfaces that it does not implement in the upstream remote schema: ${quoted(unknown)}`,
          )
        return { ...upstream, fields, interfaces }
      }
      case Kind.INPUT_OBJECT_TYPE_DEFINITION: {
        if (upstream.kind !== 'INPUT_OBJECT') return null
        const { kept, presets } = this.#readInputs(`"Input object": "${name}"`, node.fields ?? [], upstream.fields)
        if (presets.size > 0) this.#inputs.set(name, presets)
        return { ...upstream, fields: kept }
      }
    }
  }

  #readValues<T extends { readonly name: string }>(type: string, names: readonly string[], upstream: readonly T[]) {
    this.#refuseTwice(names, (twice) => `duplicate enum values: ${twice} found in the "${type}" enum`)
    const unknown = names.filter((name) => !upstream.some((value) => value.name === name))
    if (unknown.length > 0)
      this.#report(
        `enum "${type}" contains the following enum values that do not exist in the corresponding upstream remote enum: ${quoted(unknown)}`,
      )
    return upstream.filter(({ name }) => names.includes(name))
  }

  #readMembers(type: string, names: readonly string[], upstream: readonly string[]): readonly string[] {
    const unknown = names.filter((name) => !upstream.includes(name))
    if (unknown.length > 0)
      this.#report(
        `union "${type}" contains members which do not exist in the members of the remote schema union: ${quoted(unknown)}`,
      )
    return upstream.filter((name) => names.includes(name))
  }

  #readFields(
    shown: string,
    type: string,
    nodes: readonly FieldDefinitionNode[],
    upstream: ReadonlyMap<string, RemoteField>,
  ): ReadonlyMap<string, RemoteField> {
    const names = nodes.map((node) => node.name.value)
    this.#refuseTwice(names, (twice) => `duplicate fields: ${twice} found in the "${shown}": "${type}"`)
    const fields = new Map<string, RemoteField>()
    for (const node of nodes) {
      const name = node.name.value
      const known = upstream.get(name)
      this.#refusePresets(node.directives)
      if (!known) {
        this.#report(`field "${name}" does not exist in the "${shown}": "${type}"`)
        continue
      }
      this.#compareTypes(node.type, known.type, name, `${shown} field`)
      const { kept, presets } = this.#readInputs(`field: "${name}"`, node.arguments ?? [], known.args)
      const missing = [...known.args.values()].filter(
        (one) => one.type.kind === 'non-null' && !node.arguments?.some((given) => given.name.value === one.name),
      )
      if (missing.length > 0)
        this.#report(
          `field: "${name}" expects the following non nullable arguments to be present: ${quoted(missing.map((one) => one.name))}`,
        )
      if (presets.size > 0) this.#args.set(fieldKey(type, name), presets)
      fields.set(name, { ...known, args: kept })
    }
    return fields
  }

  #readInputs(
    of: string,
    nodes: readonly InputValueDefinitionNode[],
    upstream: ReadonlyMap<string, RemoteInput>,
  ): { readonly kept: ReadonlyMap<string, RemoteInput>; readonly presets: ReadonlyMap<string, Preset> } {
    const names = nodes.map((node) => node.name.value)
    this.#refuseTwice(names, (twice) => `duplicate arguments: ${twice} found in the ${of}`)
    const kept = new Map<string, RemoteInput>()
    const presets = new Map<string, Preset>()
    for (const node of nodes) {
      const name = node.name.value
      const known = upstream.get(name)
      if (!known) {
        this.#report(`argument "${name}" does not exist in the ${of}`)
        continue
      }
      this.#compareTypes(node.type, known.type, name, 'Input object argument')
      const given = node.defaultValue === undefined ? null : print(node.defaultValue)
      if (given !== known.defaultValue)
        this.#report(
          `expected default value of "${name}"("Input object argument") to be ${known.defaultValue ?? 'nothing'} but received ${given ?? 'nothing'}`,
        )
      const preset = readPreset(
        node.directives,
        name,
        known.type,
        this.#upstream.types,
        this.#headerPrefix,
        (problem) => this.#report(problem),
      )
      if (preset) presets.set(name, preset)
      else kept.set(name, known)
    }
    return { kept, presets }
  }

  #compareTypes(node: TypeNode, upstream: RemoteTypeRef, name: string, where: string): void {
    const given = print(node)
    if (given !== refText(upstream))
      this.#report(`expected type of "${name}"("${where}") to be ${refText(upstream)} but received ${given}`)
  }

  #refusePresets(directives: TypeDefinitionNode['directives']): void {
    if (directives?.some(({ name }) => name.value === 'preset'))
      this.#report('Preset directives can be defined only on INPUT_FIELD_DEFINITION or ARGUMENT_DEFINITION')
  }

  /** Types that the document mentions have to be defined in it. */
  #checkReferences(node: TypeDefinitionNode, names: ReadonlySet<string>): void {
    const mentioned = (type: TypeNode): string =>
      type.kind === Kind.NAMED_TYPE ? type.name.value : mentioned(type.type)
    const check = (name: string) => {
      if (!names.has(name) && !builtInScalars.has(name)) this.#report(`Could not find type with name "${name}"`)
    }
    if (!('fields' in node)) return
    for (const field of node.fields ?? []) {
      check(mentioned(field.type))
      if (field.kind === Kind.FIELD_DEFINITION) for (const one of field.arguments ?? []) check(mentioned(one.type))
    }
  }

  #readRoots(definitions: readonly DefinitionNode[], types: ReadonlyMap<string, RemoteType>): RemoteRoots {
    const schemas = definitions.filter((one): one is SchemaDefinitionNode => one.kind === Kind.SCHEMA_DEFINITION)
    if (schemas.length > 1) this.#report('multiple schema definitions found')
    const named = (operation: string) =>
      schemas[0]?.operationTypes.find((one) => one.operation === operation)?.type.name.value
    const usual = (name: string | null) => (name !== null && types.has(name) ? name : null)
    const { roots } = this.#upstream
    const query = schemas.length > 0 ? named('query') : (usual('Query') ?? usual(roots.query))
    if (query === undefined || query === null) this.#report('query root does not exist in the schema definition')
    return {
      query: query ?? roots.query,
      mutation: schemas.length > 0 ? (named('mutation') ?? null) : (usual('Mutation') ?? usual(roots.mutation)),
      subscription:
        schemas.length > 0 ? (named('subscription') ?? null) : (usual('Subscription') ?? usual(roots.subscription)),
    }
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

const isTypeDefinition = (node: DefinitionNode): node is TypeDefinitionNode => Object.hasOwn(kindNames, node.kind)
