import { type ConstDirectiveNode, type ConstValueNode, Kind, print } from 'graphql'
import { variableName } from '../../session.ts'
import type { RemoteType, RemoteTypeRef } from '../remote-types.ts'
import type { Preset } from './preset.ts'

type Report = (problem: string) => void

/** The preset of an argument or input field; null where it has none. What is wrong with it is reported. */
export function readPreset(
  directives: readonly ConstDirectiveNode[] | undefined,
  name: string,
  type: RemoteTypeRef,
  types: ReadonlyMap<string, RemoteType>,
  /** The prefix of session variables, in addition to X-Svc-. */
  headerPrefix: string | undefined,
  report: Report,
): Preset | null {
  const directive = directives?.find((one) => one.name.value === 'preset')
  if (!directive) return null
  const argument = (key: string) => directive.arguments?.find((one) => one.name.value === key)?.value
  const value = argument('value')
  const fixed = argument('static')
  if (!value) {
    report(`"value" is required for the preset of "${name}"`)
    return null
  }
  if (fixed && fixed.kind !== Kind.BOOLEAN) report('expected preset static value to be a Boolean value')
  const isStatic = fixed?.kind === Kind.BOOLEAN && fixed.value
  const variable = isStatic || value.kind !== Kind.STRING ? null : variableName(value.value, headerPrefix)
  if (variable !== null) {
    const bare = type.kind === 'non-null' ? type.of : type
    const isSingle = bare.kind === 'named' && types.get(bare.name)?.kind !== 'INPUT_OBJECT'
    if (!isSingle) report(`illegal preset value at "${name}". Session arguments can only be set for singleton values`)
    return { kind: 'session', variable, type }
  }
  checkLiteral(value, type, types, report)
  return { kind: 'literal', value }
}

function checkLiteral(
  value: ConstValueNode,
  type: RemoteTypeRef,
  types: ReadonlyMap<string, RemoteType>,
  report: Report,
): void {
  if (type.kind === 'non-null') {
    checkLiteral(value, type.of, types, report)
    return
  }
  if (value.kind === Kind.NULL) return
  if (type.kind === 'list') {
    for (const item of value.kind === Kind.LIST ? value.values : [value]) checkLiteral(item, type.of, types, report)
    return
  }
  const found = types.get(type.name)
  const expected = (what: string) =>
    report(`expected preset value ${print(value)} of type ${type.name} to be ${what} value`)
  switch (found?.kind) {
    case 'ENUM':
      if (value.kind !== Kind.ENUM) expected('an enum')
      else if (!found.values.some(({ name }) => name === value.value))
        report(`"${value.value}" not found in the enum: "${type.name}"`)
      return
    case 'INPUT_OBJECT':
      if (value.kind !== Kind.OBJECT) {
        expected('an input object')
        return
      }
      for (const { name, value: part } of value.fields) {
        const field = found.fields.get(name.value)
        if (field) checkLiteral(part, field.type, types, report)
        else report(`"${name.value}" does not exist in the input object "${type.name}"`)
      }
      return
    case 'SCALAR':
    case undefined:
      // a scalar of the remote's own may be anything
      if (found === undefined && (value.kind === Kind.OBJECT || value.kind === Kind.LIST)) expected('a scalar')
      return
    case 'OBJECT':
    case 'INTERFACE':
    case 'UNION':
      return
  }
}
