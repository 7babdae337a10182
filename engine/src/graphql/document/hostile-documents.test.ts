import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../errors.ts'
import { planOperation } from '../plan/plan-operation.ts'
import { defaultGraphqlSettings as settings } from '../settings.ts'
import { storeModel } from '../store.fixture.ts'
import { roleSchema } from '../types/role-schema.ts'
import { checkText } from './check-text.ts'
import { parseDocument } from './parse-document.ts'

const schema = roleSchema(storeModel(), 'admin')

function plan(query: string, variables: Readonly<Record<string, unknown>> = {}, of = schema) {
  return planOperation({ document: parseDocument(query, settings), operationName: null, variables }, of, settings)
}

const relay = roleSchema(storeModel(), 'admin', 'relay')
const nodeId = Buffer.from('[1, "public", "artist", 1]').toString('base64')

const times = (n: number, part: string | ((i: number) => string)) =>
  Array.from({ length: n }, (_, i) => (typeof part === 'string' ? part : part(i))).join('')

function nestedWhere(levels: number): unknown {
  let where: unknown = {}
  for (let i = 0; i < levels; i++) where = { _not: where }
  return where
}

const hostile: Readonly<Record<string, () => unknown>> = {
  'a million brackets': () => plan('{'.repeat(1_000_000)),
  'selections nested 5,000 deep': () =>
    plan(`{ artist ${times(5_000, '{ albums { artist ')} { id } ${'}'.repeat(10_001)}`),
  'a value nested 100,000 deep': () => plan(`{ artist(where: ${'['.repeat(100_000)}`),
  'a type nested 100,000 deep': () => plan(`query ($a: ${'['.repeat(100_000)}Int`),
  'a variable nested 450 deep': () =>
    plan('query ($w: artist_bool_exp) { artist(where: $w) { id } }', { w: nestedWhere(450) }),
  'a chain of 20,000 fragments': () =>
    plan(
      `{ artist { ...f0 } } ${times(20_000, (i) => `fragment f${i} on artist { ...f${i + 1} } `)} fragment f20000 on artist { id }`,
    ),
  'fragments that nest selections': () =>
    plan(
      `{ artist { ...f0 } } ${times(150, (i) => `fragment f${i} on artist { albums { artist { ...f${i + 1} } } } `)} fragment f150 on artist { id }`,
    ),
  'fragments that double 60 times': () =>
    plan(
      `{ artist { ...f0 } } ${times(60, (i) => `fragment f${i} on artist { ...f${i + 1} ...f${i + 1} } `)} fragment f60 on artist { id }`,
    ),
  'fragments of a node that double 60 times': () =>
    plan(
      `{ node(id: "${nodeId}") { ...f0 } } ${times(60, (i) => `fragment f${i} on Node { ...f${i + 1} ...f${i + 1} } `)} fragment f60 on Node { id }`,
      {},
      relay,
    ),
  'fields that multiply by ten on each of 30 levels': () => {
    const fragments = times(30, (i) => {
      const next = i % 2 === 0 ? 'albums' : 'artist'
      const fields = times(10, (n) => `a${n}: ${next} { ...f${i + 1} } `)
      return `fragment f${i} on ${i % 2 === 0 ? 'artist' : 'album'} { ${fields} } `
    })
    return plan(`{ artist { ...f0 } } ${fragments} fragment f30 on artist { id }`)
  },
  '30,000 aliases': () => plan(`{ artist { ${times(30_000, (i) => `a${i}: id `)} } }`),
  'a fragment cycle of 1,000': () =>
    plan(`{ artist { ...f0 } } ${times(150, (i) => `fragment f${i} on artist { ...f${(i + 1) % 150} } `)}`),
  'a list of a million conditions': () =>
    plan('query ($l: [artist_bool_exp!]) { artist(where: {_or: $l}) { id } }', {
      l: Array.from({ length: 1_000_000 }, () => ({})),
    }),
  '200,000 tokens': () => plan(`{ artist { ${'id '.repeat(200_000)} } }`),
  '300,000 repeated arguments': () => plan(`{ artist(${'limit: 1 '.repeat(30_000)}) { id } }`),
  'introspection nested 60 deep': () =>
    plan(`{ __schema { types { ${'fields { type { '.repeat(60)} name ${'} } '.repeat(60)} } } }`),
  'the same 9,000 conditions compared 4,900 times': () => {
    const twice = `a: artist(where: {_or: [${'{},'.repeat(9_000)}]}) { id } `
    return plan(`{ ${twice} ${'...f '.repeat(9_000)} } fragment f on query_root { ${twice} }`)
  },
  'a list of 30,000 literals in 1,000 places': () =>
    plan(
      `{ ${times(1_000, (i) => `a${i}: artist { ...f } `)} } fragment f on artist { albums(where: {id: {_in: [${'1,'.repeat(30_000)}]}}) { id } }`,
    ),
  'a text of a million characters in 1,000 places': () =>
    plan(
      `{ ${times(1_000, (i) => `a${i}: artist { ...f } `)} } fragment f on artist { albums(where: {artist: {meta: {_contains: {a: "${'x'.repeat(1_000_000)}"}}}}) { id } }`,
    ),
  'a path of 3,000 keys in 1,000 places': () =>
    plan(
      `{ ${times(1_000, (i) => `a${i}: artist { ...f } `)} } fragment f on artist { meta(path: "$${'.a'.repeat(3_000)}") }`,
    ),
  'a path of 20 million characters': () => plan(`{ artist { meta(path: "$['${'x'.repeat(20_000_000)}']") } }`),
  '200,000 comments': () => plan(`{ artist { id } } ${'#\n'.repeat(200_000)}`),
  'an unclosed string of a million quotes': () => plan(`{ artist(where: {name: {_eq: ${'"'.repeat(1_000_001)}`),
}

for (const [what, run] of Object.entries(hostile))
  test(`${what}: refused with a clear error in good time`, () => {
    const start = process.cpuUsage()
    assert.throws(run, (error) => {
      assert.ok(error instanceof ApiError, `${error instanceof Error ? error.stack : error}`)
      assert.ok(['validation-failed', 'parse-failed'].includes(error.code))
      assert.ok(error.message.length < 2_000)
      assert.ok(error.path.toString().length < 2_000)
      return true
    })
    // of the processor's time: others may use it as well
    const { user, system } = process.cpuUsage(start)
    const milliseconds = (user + system) / 1000
    assert.ok(milliseconds < 5_000, `${milliseconds} ms`)
  })

test('the deepest honest documents are planned', () => {
  plan(`{ artist { ${'albums { artist { '.repeat(49)} id ${'} } '.repeat(49)} } }`)
  plan('query ($w: artist_bool_exp) { artist(where: $w) { id } }', { w: nestedWhere(150) })
  plan(`{ artist(where: {id: {_in: [${'1,'.repeat(20_000)}]}}) { id } }`)
})

test('brackets in strings and comments do not nest', () => {
  const deep = '['.repeat(300)
  for (const text of [
    `"${deep}"`,
    `"\\"${deep}"`,
    `"""${deep} \\""" ${deep}"""`,
    `# ${deep}\n`,
    `"" ${'[]'.repeat(300)}`,
  ])
    checkText(text, settings)
  for (const text of [deep, `"" ${deep}`, `"""""" ${deep}`, `#\n${deep}`, `"x\n${deep}`])
    assert.throws(() => checkText(text, settings), /nested too deeply/)
})
