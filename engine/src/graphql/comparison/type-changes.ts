import {
  type EnumType,
  type Field,
  type InputField,
  type InputType,
  type NamedType,
  namedOf,
  type ObjectType,
  type TypeRef,
  typeText,
} from '../types/type.ts'
import { type SchemaChange, schemaChange } from './schema-change.ts'

/** What introspection lists of an abstract type: the types that it may be. */
export type PossibleTypes = (type: NamedType) => readonly TypeRef[]

/** Two versions of a type; null: the schema does not have it. */
export interface TypeVersions {
  readonly before: NamedType | null
  readonly after: NamedType | null
}

const specifiedScalars = new Set(['Int', 'Float', 'String', 'Boolean', 'ID'])

/**
 * How a type changed, by the rules of graphql-js (findBreakingChanges, findDangerousChanges). `possible`: the members of
 * unions before and after.
 */
export function typeChanges(
  { before, after }: TypeVersions,
  possible: { readonly before: PossibleTypes; readonly after: PossibleTypes },
): readonly SchemaChange[] {
  if (!before && !after) return []
  if (!before) return after ? [schemaChange('TYPE_ADDED', after.name, `${after.name} was added.`)] : []
  if (!after) {
    const { name } = before
    const isStandard = specifiedScalars.has(name)
    const text = `Standard scalar ${name} was removed because it is not referenced anymore.`
    return [schemaChange('TYPE_REMOVED', name, isStandard ? text : `${name} was removed.`)]
  }
  if (before.kind === 'ENUM' && after.kind === 'ENUM') return enumChanges(before, after)
  if (before.kind === 'UNION' && after.kind === 'UNION')
    return unionChanges(before.name, possible.before(before), possible.after(after))
  if (before.kind === 'INPUT_OBJECT' && after.kind === 'INPUT_OBJECT') return inputChanges(before, after)
  if (before.kind === 'OBJECT' && after.kind === 'OBJECT')
    return [...fieldChanges(before, after), ...interfaceChanges(before, after)]
  if (before.kind === 'INTERFACE' && after.kind === 'INTERFACE') return fieldChanges(before, after)
  if (before.kind === after.kind) return []
  const text = `${before.name} changed from ${kindText(before)} to ${kindText(after)}.`
  return [schemaChange('TYPE_CHANGED_KIND', before.name, text)]
}

function kindText({ kind }: NamedType): string {
  switch (kind) {
    case 'SCALAR':
      return 'a Scalar type'
    case 'OBJECT':
      return 'an Object type'
    case 'INTERFACE':
      return 'an Interface type'
    case 'UNION':
      return 'a Union type'
    case 'ENUM':
      return 'an Enum type'
    case 'INPUT_OBJECT':
      return 'an Input type'
  }
}

interface Named {
  readonly name: string
}

/** Returns the entries of one version that the other does not have. */
function without<T extends Named>(entries: Iterable<T>, others: Iterable<Named>): readonly T[] {
  const names = new Set([...others].map(({ name }) => name))
  return [...entries].filter(({ name }) => !names.has(name))
}

/** Returns what became of the entries that only one of two versions has, the added ones first. */
const listChanges = (
  before: readonly Named[],
  after: readonly Named[],
  added: (name: string) => SchemaChange,
  removed: (name: string) => SchemaChange,
): readonly SchemaChange[] => [
  ...without(after, before).map(({ name }) => added(name)),
  ...without(before, after).map(({ name }) => removed(name)),
]

function enumChanges({ name, values: before }: EnumType, { values: after }: EnumType): readonly SchemaChange[] {
  if (before === after) return []
  return listChanges(
    before,
    after,
    (value) => schemaChange('VALUE_ADDED_TO_ENUM', `${name}.${value}`, `${value} was added to enum type ${name}.`),
    (value) =>
      schemaChange('VALUE_REMOVED_FROM_ENUM', `${name}.${value}`, `${value} was removed from enum type ${name}.`),
  )
}

const unionChanges = (name: string, before: readonly TypeRef[], after: readonly TypeRef[]): readonly SchemaChange[] =>
  listChanges(
    before.map(namedOf),
    after.map(namedOf),
    (type) => schemaChange('TYPE_ADDED_TO_UNION', `${name}.${type}`, `${type} was added to union type ${name}.`),
    (type) =>
      schemaChange('TYPE_REMOVED_FROM_UNION', `${name}.${type}`, `${type} was removed from union type ${name}.`),
  )

const interfaceChanges = (before: ObjectType<unknown>, { interfaces }: ObjectType<unknown>): readonly SchemaChange[] =>
  listChanges(
    before.interfaces ?? [],
    interfaces ?? [],
    (one) =>
      schemaChange(
        'IMPLEMENTED_INTERFACE_ADDED',
        before.name,
        `${one} added to interfaces implemented by ${before.name}.`,
      ),
    (one) =>
      schemaChange(
        'IMPLEMENTED_INTERFACE_REMOVED',
        before.name,
        `${before.name} no longer implements interface ${one}.`,
      ),
  )

function inputChanges(before: InputType<unknown>, after: InputType<unknown>): readonly SchemaChange[] {
  if (before === after || before.fields === after.fields) return []
  const { name } = before
  const changes: SchemaChange[] = []
  for (const field of after.fields.values()) {
    const at = `${name}.${field.name}`
    const old = before.fields.get(field.name)
    if (!old) {
      const required = isRequired(field)
      const text = `${required ? 'A required' : 'An optional'} field ${field.name} on input type ${name} was added.`
      changes.push(schemaChange(required ? 'REQUIRED_INPUT_FIELD_ADDED' : 'OPTIONAL_INPUT_FIELD_ADDED', at, text))
    } else changes.push(...typeChange(at, old.type, field.type, isSafeForInput))
  }
  return [...changes, ...removedFields(name, before.fields.values(), after.fields)]
}

interface WithFields {
  readonly name: string
  readonly fields: ObjectType<unknown>['fields']
}

function fieldChanges(before: WithFields, after: WithFields): readonly SchemaChange[] {
  if (before.fields === after.fields) return []
  const { name } = before
  const changes: SchemaChange[] = []
  for (const field of after.fields.values()) {
    const at = `${name}.${field.name}`
    const old = before.fields.get(field.name)
    if (!old) {
      changes.push(schemaChange('FIELD_ADDED', at, `${at} was added.`))
      continue
    }
    changes.push(...argumentChanges(at, old, field), ...typeChange(at, old.type, field.type, isSafeForOutput))
  }
  return [...changes, ...removedFields(name, before.fields.values(), after.fields)]
}

function typeChange(
  at: string,
  before: TypeRef,
  after: TypeRef,
  isSafe: (before: TypeRef, after: TypeRef) => boolean,
): readonly SchemaChange[] {
  const [old, now] = [typeText(before), typeText(after)]
  if (old === now) return []
  const kind = isSafe(before, after) ? 'FIELD_CHANGED_KIND_SAFE' : 'FIELD_CHANGED_KIND'
  return [schemaChange(kind, at, `${at} changed type from ${old} to ${now}.`)]
}

const removedFields = (
  type: string,
  before: Iterable<Named>,
  after: { readonly get: (name: string) => unknown },
): readonly SchemaChange[] =>
  [...before].flatMap(({ name }) =>
    after.get(name) ? [] : [schemaChange('FIELD_REMOVED', `${type}.${name}`, `${type}.${name} was removed.`)],
  )

function argumentChanges(field: string, before: Field<unknown>, after: Field<unknown>): readonly SchemaChange[] {
  if (before.args === after.args) return []
  const changes: SchemaChange[] = []
  for (const { name } of without(before.args.values(), after.args.values()))
    changes.push(schemaChange('ARG_REMOVED', `${field}(${name})`, `${field} arg ${name} was removed.`))
  for (const argument of after.args.values()) {
    const { name, type } = argument
    const at = `${field}(${name})`
    const old = before.args.get(name)
    if (!old) {
      const required = isRequired(argument)
      const text = `${required ? 'A required' : 'An optional'} arg ${name} on ${field} was added.`
      changes.push(schemaChange(required ? 'REQUIRED_ARG_ADDED' : 'OPTIONAL_ARG_ADDED', at, text))
      continue
    }
    const isSafe = isSafeForInput(old.type, type)
    if (typeText(old.type) !== typeText(type)) {
      const text = `${field} arg ${name} has changed type from ${typeText(old.type)} to ${typeText(type)}.`
      changes.push(schemaChange(isSafe ? 'ARG_CHANGED_KIND_SAFE' : 'ARG_CHANGED_KIND', at, text))
    }
    if (isSafe && old.defaultValue !== null && old.defaultValue !== argument.defaultValue) {
      const text =
        argument.defaultValue === null
          ? `${field} arg ${name} defaultValue was removed.`
          : `${field} arg ${name} has changed defaultValue from ${old.defaultValue} to ${argument.defaultValue}.`
      changes.push(schemaChange('ARG_DEFAULT_VALUE_CHANGE', at, text))
    }
  }
  return changes
}

const isRequired = ({ type, defaultValue }: InputField<unknown>): boolean =>
  type.kind === 'non-null' && defaultValue === null

/** Whether a caller that reads the old type can read the new one. */
function isSafeForOutput(before: TypeRef, after: TypeRef): boolean {
  if (after.kind === 'non-null') return isSafeForOutput(before.kind === 'non-null' ? before.of : before, after.of)
  switch (before.kind) {
    case 'non-null':
      return false
    case 'list':
      return after.kind === 'list' && isSafeForOutput(before.of, after.of)
    case 'named':
      return after.kind === 'named' && before.name === after.name
  }
}

/** Whether every input value of the old type is one of the new. */
function isSafeForInput(before: TypeRef, after: TypeRef): boolean {
  switch (before.kind) {
    case 'non-null':
      return isSafeForInput(before.of, after.kind === 'non-null' ? after.of : after)
    case 'list':
      return after.kind === 'list' && isSafeForInput(before.of, after.of)
    case 'named':
      return after.kind === 'named' && before.name === after.name
  }
}
