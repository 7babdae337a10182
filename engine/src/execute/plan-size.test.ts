import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { getIntrospectionQuery } from 'graphql'
import { defaultGraphqlSettings as settings } from '../graphql/index.ts'
import { storeModel } from '../graphql/store.fixture.ts'
import { finish } from '../long-work.ts'
import { findPlan } from './find-plan.ts'
import { PlanCache } from './plan-cache.ts'

const model = storeModel()
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function heapUsed(): Promise<number> {
  // what a call has just left is still in reach
  await setImmediate()
  collect()
  await setImmediate()
  collect()
  return process.memoryUsage().heapUsed
}

const many = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')

const queries: Readonly<Record<string, (i: number) => string>> = {
  'rows of rows': (i) => `{ a${i}: artist { id name albums { id title artist { id name } } } }`,
  'a hundred fields': (i) => `{ a${i}: artist { ${many(100, (k) => `f${k}: name`)} } }`,
  'many values': (i) => `{ a${i}: artist(where: {_or: [${many(40, (k) => `{id: {_eq: ${k}}}`)}]}) { id } }`,
  'many root fields': (i) => `{ ${many(10, (k) => `a${i}_${k}: artist_by_pk(id: ${k}) { id }`)} }`,
  introspection: (i) => getIntrospectionQuery().replace('__schema', `a${i}: __schema`),
}

const plans = 300
const admin = { role: 'admin', backendOnly: false }

for (const [what, query] of Object.entries(queries))
  test(`plans of ${what} are as large as the cache says`, async () => {
    const fill = (cache: PlanCache, from: number) => {
      for (let i = from; i < from + plans; i++)
        finish(findPlan({ query: query(i), operationName: null, variables: {} }, admin, model, cache, settings))
      return cache
    }
    // code that is compiled on the way is no part of it
    for (let i = 0; i < 3; i++) fill(new PlanCache(1e9), plans)
    const before = await heapUsed()
    const cache = fill(new PlanCache(1e9), 0)
    const ratio = ((await heapUsed()) - before) / cache.size
    assert.ok(ratio > 0.5 && ratio < 1.3, `the heap grew by ${ratio.toFixed(2)} of the ${cache.size} bytes`)
  })
