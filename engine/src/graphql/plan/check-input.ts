import { Kind, type ValueNode, type VariableDefinitionNode } from 'graphql'
import { ApiError, type Path } from '../../errors.ts'
import { type LiteralInput, mismatch, noValueOf } from '../selection/input.ts'
import { checkVariableType } from '../selection/variables.ts'
import {
  type EnumType,
  type InputType,
  type NamedRef,
  namedOf,
  type TypeRef,
  type TypeSource,
  typeText,
} from '../types/type.ts'

/** What checking a value reads, and where it reports. */
export interface InputCheck {
  readonly types: TypeSource
  readonly variables: ReadonlyMap<string, VariableDefinitionNode>
  /** Types of variables by name, as the places that use them say. */
  readonly inputTypes: Map<string, NamedRef>
  /** A variable whose type does not fit. */
  report(path: Path, message: string): void
  /** A value that does not fit. */
  warn(path: Path, message: string): void
}

/**
 * Checks a value of a document where `expected` is wanted: variables by their declaration, literals by their shape.
 * Throws validation-failed.
 */
export function checkInput(
  expected: TypeRef,
  node: ValueNode,
  hasDefault: boolean,
  path: Path,
  walk: InputCheck,
): void {
  if (node.kind === Kind.VARIABLE) {
    checkVariable(expected, node.name.value, hasDefault, path, walk)
    return
  }
  switch (expected.kind) {
    case 'non-null':
      if (node.kind === Kind.NULL) walk.warn(path, `unexpected null value for type '${typeText(expected)}'`)
      else checkInput(expected.of, node, hasDefault, path, walk)
      return
    case 'list':
      // one value stands for a list of it
      if (node.kind !== Kind.LIST) checkInput(expected.of, node, false, path, walk)
      else node.values.forEach((item, i) => void checkInput(expected.of, item, false, path.at(i), walk))
      return
    case 'named': {
      if (node.kind === Kind.NULL) return
      const type = expected.find(walk.types)
      if (type.kind === 'INPUT_OBJECT') checkObject(type, node, path, walk)
      else if (type.kind === 'ENUM') checkEnum(type, node, path, walk)
    }
  }
}

function checkVariable(expected: TypeRef, name: string, hasDefault: boolean, path: Path, walk: InputCheck): void {
  const definition = walk.variables.get(name)
  if (!definition) return
  const named = namedOf(expected)
  walk.inputTypes.set(named.name, named)
  try {
    checkVariableType(name, definition, expected, hasDefault, path)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    walk.report(path, error.message)
  }
}

function checkEnum(type: EnumType, node: LiteralInput['node'], path: Path, walk: InputCheck): void {
  if (node.kind !== Kind.ENUM) {
    walk.warn(path, mismatch('an enum value', type.name, { kind: 'literal', node }, path).message)
    return
  }
  if (!type.values.some(({ name }) => name === node.value)) walk.warn(path, noValueOf(type, node.value))
}

function checkObject(type: InputType<unknown>, node: ValueNode, path: Path, walk: InputCheck): void {
  if (node.kind !== Kind.OBJECT) {
    walk.warn(path, `expected an object for type '${type.name}'`)
    return
  }
  const names = new Set<string>()
  for (const { name, value } of node.fields) {
    names.add(name.value)
    const field = type.fields.get(name.value)
    if (field) checkInput(field.type, value, field.defaultValue !== null, path.at(name.value), walk)
    else walk.warn(path.at(name.value), `field '${name.value}' not found in type: '${type.name}'`)
  }
  for (const { name, type: wanted, defaultValue } of type.fields.values())
    if (wanted.kind === 'non-null' && defaultValue === null && !names.has(name))
      walk.warn(path.at(name), `missing required field '${name}'`)
}
