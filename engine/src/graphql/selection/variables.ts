import { Kind, type TypeNode, type VariableDefinitionNode } from 'graphql'
import { ApiError, invalid, Path } from '../../errors.ts'
import type { GraphqlSettings } from '../settings.ts'
import { type TypeRef, typeText } from '../types/type.ts'
import type { Guard, VariableValues } from './guard.ts'

/** The variables of one request as the planner reads them; every read becomes a guard of the plan. */
export interface Variables {
  readonly declared: ReadonlyMap<string, VariableDefinitionNode>
  readonly values: VariableValues
  readonly guards: Guard[]
}

/**
 * Checks what can be said of variables without their uses (reference/queries#validation): declared twice
 * (parse-failed), missing, null for `T!`, supplied but not used. Throws validation-failed at `$` or
 * `$.variableValues.<name>`.
 */
export function readVariables(
  definitions: readonly VariableDefinitionNode[],
  values: VariableValues,
  used: ReadonlySet<string>,
  settings: GraphqlSettings,
): Variables {
  const declared = new Map<string, VariableDefinitionNode>()
  for (const definition of definitions) {
    const name = definition.variable.name.value
    if (declared.has(name)) throw new ApiError('parse-failed', Path.root, `multiple definitions for variable "${name}"`)
    declared.set(name, definition)
  }
  const guards: Guard[] = []
  for (const [name, definition] of declared) checkPresence(name, definition, values, guards, settings)
  for (const name of used) if (!declared.has(name)) throw invalid(Path.root, `unbound variable "${name}"`)
  const unused = Object.keys(values).filter((name) => !used.has(name))
  if (unused.length > 0)
    throw invalid(Path.root, `unexpected variables in variableValues: ${unused.slice(0, 20).join(', ')}`)
  return { declared, values, guards }
}

function checkPresence(
  name: string,
  definition: VariableDefinitionNode,
  values: VariableValues,
  guards: Guard[],
  settings: GraphqlSettings,
): void {
  if (definition.type.kind !== Kind.NON_NULL_TYPE) return
  const given = Object.hasOwn(values, name)
  if (!given && !definition.defaultValue)
    throw invalid(Path.root, `expecting a value for non-nullable variable: "${name}"`)
  if (given && values[name] === null && !settings.nullInNonNullableVariables)
    throw invalid(Path.root, `null value found for non-nullable type: "${typeNodeText(definition.type)}"`)
  const expect = !given ? 'absent' : values[name] === null ? 'null' : 'value'
  guards.push({ variable: name, keys: [], expect: { kind: expect } })
}

/** A variable where a value of `expected` is wanted; throws validation-failed at path if its type may not stand there. */
export function checkVariableType(
  name: string,
  definition: VariableDefinitionNode,
  expected: TypeRef,
  hasDefault: boolean,
  path: Path,
): void {
  const { type, defaultValue } = definition
  // reference/queries#variables, type equality
  const isDefaulted = hasDefault || (defaultValue !== undefined && defaultValue.kind !== Kind.NULL)
  const needsValue = expected.kind === 'non-null' && type.kind !== Kind.NON_NULL_TYPE
  if (needsValue ? isDefaulted && fits(type, expected.of) : fits(type, expected)) return
  throw invalid(
    path,
    `variable '${name}' is declared as '${typeNodeText(type)}', but used where '${typeText(expected)}' is expected`,
  )
}

function fits(declared: TypeNode, expected: TypeRef): boolean {
  if (declared.kind === Kind.NON_NULL_TYPE)
    return fits(declared.type, expected.kind === 'non-null' ? expected.of : expected)
  switch (expected.kind) {
    case 'non-null':
      return false
    case 'list':
      return declared.kind === Kind.LIST_TYPE && fits(declared.type, expected.of)
    case 'named':
      return declared.kind === Kind.NAMED_TYPE && declared.name.value === expected.name
  }
}

function typeNodeText(type: TypeNode): string {
  switch (type.kind) {
    case Kind.NON_NULL_TYPE:
      return `${typeNodeText(type.type)}!`
    case Kind.LIST_TYPE:
      return `[${typeNodeText(type.type)}]`
    case Kind.NAMED_TYPE:
      return type.name.value
  }
}
