import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue, FORCE_DESTROY, kindNamed, type ResourceKind, unknown, type Values } from '../resources/index.ts'
import type { KindSample } from '../resources/kind-sample.fixture.ts'
import { isOnlyElsewhere, otherSourceSamples } from '../resources/other-sources.fixture.ts'
import { samples } from '../resources/samples.fixture.ts'
import { planValues } from './plan-values.ts'

const kindOf = (name: string): ResourceKind => {
  const kind = kindNamed(name)
  assert.ok(kind)
  return kind
}

const all = [...samples('postgres://u:secret@localhost:5432/db'), ...otherSourceSamples]

const stateOf = ({ kind, base }: KindSample): Values => planValues(kindOf(kind), null, base, 'text').planned

test('every attribute of every kind has a sample that changes it', () => {
  assert.deepEqual(
    catalogue.map(({ kind, fields, outside }) => [
      kind,
      fields
        .map(({ name }) => name)
        .filter((name) => name !== FORCE_DESTROY && name !== outside?.attribute && !isOnlyElsewhere(kind, name)),
    ]),
    catalogue.map(({ kind }) => [kind, Object.keys(all.find((sample) => sample.kind === kind)?.changes ?? {})]),
  )
})

for (const sample of all) {
  const kind = kindOf(sample.kind)
  const state = stateOf(sample)

  test(`${sample.kind}: its own inputs change nothing, whatever their spelling`, () => {
    assert.equal(planValues(kind, state, sample.base, 'text').planned, state)
    for (const respelled of sample.respelled) {
      const { planned, changed } = planValues(kind, state, { ...sample.base, ...respelled }, 'text')
      assert.deepEqual(changed, [])
      assert.equal(planned, state)
    }
  })

  for (const [name, patch] of Object.entries(sample.changes)) {
    if (name.endsWith('_wo')) continue // stored nowhere: its version is what changes
    test(`${sample.kind}.${name}: a change is planned, and replaces where it is declared to`, () => {
      const { planned, changed, replace } = planValues(kind, state, { ...sample.base, ...patch }, 'text')
      assert.ok(changed.some(([head]) => head === name))
      const replacing = Object.keys(patch).filter((head) => kind.attributes[head]?.replace)
      assert.deepEqual(
        replace,
        replacing.map((head) => [head]),
      )
      assert.equal(planned.id === state.id, replacing.length === 0)
      assert.deepEqual(planValues(kind, planned, { ...sample.base, ...patch }, 'text').changed, [])
    })

    test(`${sample.kind}.${name}: not known yet, it is a change`, () => {
      if (kind.attributes[name]?.writeOnly) return
      const { planned, changed, replace } = planValues(kind, state, { ...sample.base, [name]: unknown }, 'text')
      assert.deepEqual(changed, [[name]])
      assert.equal(planned[name], unknown)
      assert.deepEqual(replace, kind.attributes[name]?.replace ? [[name]] : [])
      assert.equal(planned.id, kind.attributes[name]?.replace ? unknown : state.id)
    })
  }
}

test('what is removed from the inputs goes back to its default', () => {
  const kind = kindOf('SelectPermission')
  const sample = all.find((one) => one.kind === 'SelectPermission')
  assert.ok(sample)
  const { planned } = planValues(
    kind,
    stateOf(sample),
    { ...sample.base, allow_aggregations: null, comment: null },
    'text',
  )
  assert.equal(planned.allow_aggregations, false)
  assert.equal(planned.comment, null)
})

test('what is made has changed where it is given, and nowhere else', () => {
  const kind = kindOf('SelectPermission')
  const sample = all.find((one) => one.kind === 'SelectPermission')
  assert.ok(sample)
  const { planned, changed } = planValues(kind, null, { ...sample.base, comment: null }, 'text')
  const names = changed.map(([name]) => name)
  assert.equal(planned.comment, null)
  assert.equal(names.includes('comment'), false)
  assert.deepEqual(
    names,
    kind.fields.map(({ name }) => name).filter((name) => planned[name] !== null),
  )
})
