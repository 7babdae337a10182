import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, introspected } from '../../../test/introspected-changes.ts'
import { finish } from '../../long-work.ts'
import { updateModel } from '../../model/index.ts'
import { chance, randomEdit, startInput } from '../../model/random-edits.fixture.ts'
import { compareSchemas } from './compare-schemas.ts'
import { modelPair } from './model-pair.ts'

const edits = 60
const liking = { customNames: (source: string, table: string) => [table.replace('.', '_'), `${table}_${source}`] }

for (const seed of [1, 2])
  test(`${edits} random edits change each role's schema as graphql-js says of both introspections, seed ${seed}`, async () => {
    const random = chance(seed)
    let input = startInput()
    let model = updateModel(null, input)
    for (let edit = 0; edit < edits; edit++) {
      input = randomEdit(input, random, liking)
      const next = updateModel(model, input)
      const pair = modelPair(model, next)
      for (const role of ['admin', 'user', 'both']) {
        const expected = changesOf(await introspected(model, role), await introspected(next, role))
        const actual = finish(compareSchemas(pair, role)).map(({ change, description }) => `${change} ${description}`)
        assert.deepEqual(actual.sort(), expected, `edit ${edit}, ${role}`)
      }
      model = next
    }
  })
