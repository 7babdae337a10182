/** Every attribute of every kind with wrong values of its type: refused before an engine is asked, at its place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AttributeType, isValues, kindNamed, type Path, type Value, type Values } from '../resources/index.ts'
import { samples } from '../resources/samples.fixture.ts'
import { validateInputs } from './validate-inputs.ts'

const wrong: Readonly<Record<AttributeType['kind'], readonly Value[]>> = {
  string: [5, 'a\0b', 'half \ud800'],
  boolean: ['yes', 1],
  integer: [-1, 1.5, 'one'],
  number: [-1, 'one'],
  json: ['{', '{"a": "\\u0000'],
  list: ['x', [[]]],
  set: ['x', [[]]],
  map: ['x', 1],
  // a key that is not there is the tool's to refuse
  object: ['x', 1],
}

/** Where no number is wrong, or another attribute says that it does not count. */
const takesAnyNumber = (attribute: string): boolean => attribute.endsWith('_wo_version')

function* places(type: AttributeType, value: Value | undefined, path: Path): Generator<readonly [Path, AttributeType]> {
  yield [path, type]
  if (type.kind === 'object' && isValues(value))
    for (const [name, attribute] of Object.entries(type.attributes))
      if (attribute.presence !== 'computed') yield* places(attribute.type, value[name], [...path, name])
  if ((type.kind === 'list' || type.kind === 'set') && Array.isArray(value))
    for (const [i, item] of (value as readonly Value[]).entries()) yield* places(type.of, item, [...path, i])
  if (type.kind === 'map' && isValues(value))
    for (const [key, item] of Object.entries(value)) yield* places(type.of, item, [...path, key])
}

function withAt(value: Value, [step, ...rest]: Path, put: Value): Value {
  if (step === undefined) return put
  if (Array.isArray(value))
    return (value as readonly Value[]).map((one, i) => (i === step ? withAt(one, rest, put) : one))
  const values: Values = isValues(value) ? value : {}
  return { ...values, [String(step)]: withAt(values[String(step)] ?? null, rest, put) }
}

const all = samples('postgres://u:p@localhost/d')

for (const name of new Set(all.map(({ kind }) => kind)))
  test(`wrong values of each attribute of ${name} are refused at it`, () => {
    const kind = kindNamed(name)
    assert.ok(kind)
    const passed = new Set<string>()
    let tried = 0
    for (const { base, changes } of all.filter((sample) => sample.kind === name))
      for (const values of [{ ...base }, ...Object.values(changes).map((patch): Values => ({ ...base, ...patch }))])
        for (const [attribute, { presence, type }] of Object.entries(kind.attributes)) {
          // beside another way to say the same only one of both is looked at
          const isLeftOut = values[attribute] === undefined || values[attribute] === null
          if (presence === 'computed' || (isLeftOut && values !== base && attribute in base)) continue
          const retries = values.retry_conf
          if (attribute === 'retry_conf' && isValues(retries) && retries.no_timeout === true) continue
          for (const [path, at] of places(type, values[attribute], [attribute]))
            for (const put of wrong[at.kind]) {
              if (typeof put === 'number' && put < 0 && takesAnyNumber(attribute)) continue
              tried++
              const found = validateInputs(kind, withAt(values, path, put) as Values, 'text')
              if (!found.some((one) => one.severity === 'error' && one.path[0] === attribute))
                passed.add(`${path.join('.')} = ${JSON.stringify(put)}`)
            }
        }
    assert.deepEqual([...passed], [])
    assert.ok(tried > 0)
  })
