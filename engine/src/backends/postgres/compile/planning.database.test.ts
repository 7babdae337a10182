import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { ApiError } from '../../../errors.ts'
import { allOf, anyOf, type BooleanExpression, type Join } from '../../../ir/index.ts'
import { compileQuery } from './compile-query.ts'
import { searchWorstPlan } from './search-worst-plan.fixture.ts'
import { albumsOfArtist, all, artistOfAlbum, compare, field, id, table } from './shop.fixture.ts'

test('whatever a request may hold is planned within a second and 200 MB', async () => {
  const { url } = await createTestDatabase()
  let state = 7
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const { slowest, largest } = await searchWorstPlan(url, 20, random)
  assert.ok(slowest.milliseconds <= 1000, JSON.stringify(slowest))
  assert.ok(largest.megabytes <= 200, JSON.stringify(largest))
})

const related = (join: Join, where: BooleanExpression): BooleanExpression => ({ kind: 'exists-related', join, where })
const each = (n: number, make: (i: number) => BooleanExpression) => Array.from({ length: n }, (_, i) => make(i))
const sqlOf = (where: BooleanExpression, mostJoins?: number) =>
  compileQuery(
    { kind: 'rows', from: table('album'), rows: { ...all, where }, fields: [field(id)] },
    { stringifyNumericTypes: false, ...(mostJoins !== undefined && { mostJoins }) },
  ).text
const existsIn = (text: string) => text.split('EXISTS').length - 1

test('conditions on one relationship are one, where that says the same', () => {
  const own = compare(id, 'gt', 7)
  const ofArtist = (i: number) => related(artistOfAlbum, allOf([own, compare(id, 'eq', i)]))
  const ofAlbums = (i: number) => related(albumsOfArtist, compare(id, 'eq', i))
  assert.equal(existsIn(sqlOf(allOf(each(1000, ofArtist)))), 1)
  assert.equal(existsIn(sqlOf(anyOf(each(1000, ofArtist)))), 1)
  assert.equal(existsIn(sqlOf(anyOf(each(1000, ofAlbums)))), 1)
  // two rows may satisfy one each
  assert.equal(existsIn(sqlOf(allOf(each(5, ofAlbums)))), 5)
  // also inside of one another
  assert.equal(existsIn(sqlOf(allOf(each(10, (i) => related(artistOfAlbum, ofAlbums(i)))))), 11)
  // the target's own filter stands there once
  assert.equal(sqlOf(anyOf(each(2, ofArtist))).split('"id" > ').length - 1, 1)
})

test('what reaches other tables too often is refused', () => {
  const many = allOf(each(11, (i) => related(albumsOfArtist, compare(id, 'eq', i))))
  assert.equal(existsIn(sqlOf(many, 13)), 11)
  assert.throws(
    () => sqlOf(many, 10),
    (error) =>
      error instanceof ApiError && error.code === 'validation-failed' && /at most 10 times/.test(error.message),
  )
  assert.throws(() => sqlOf(allOf(each(501, (i) => related(albumsOfArtist, compare(id, 'eq', i))))), ApiError)
})

test('what compares too often is refused: the planner compares the parts of OR with each other', () => {
  const some = (count: number) => anyOf(each(10, () => allOf(each(count / 10, (i) => compare(id, 'eq', i)))))
  assert.equal(sqlOf(some(80), 10).split(' = ').length - 1, 80)
  assert.throws(
    () => sqlOf(some(90), 10),
    (error) =>
      error instanceof ApiError && error.code === 'validation-failed' && /at most 80 times/.test(error.message),
  )
})
