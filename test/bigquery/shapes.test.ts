import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assembleRows } from '../../engine/src/backends/bigquery/assemble/assemble-rows.ts'
import { compileQuery } from '../../engine/src/backends/bigquery/compile/compile-query.ts'
import { queryParameters } from '../../engine/src/backends/bigquery/compile/query-parameters.ts'
import { shapes } from '../../engine/src/backends/bigquery/compile/shapes.fixture.ts'
import { shopSql } from '../../engine/src/backends/bigquery/compile/shop.fixture.ts'
import type { StatementShape } from '../../engine/src/backends/bigquery/statement-shape.ts'
import { finish } from '../../engine/src/long-work.ts'
import { skipWithoutEmulator, startEmulator } from './emulator.ts'

test("Google's analyzer accepts the statement of every shape, and its rows are the answer", {
  skip: skipWithoutEmulator,
}, async (t) => {
  const emulator = await startEmulator(t)
  await emulator.createDataset('shop')
  for (const sql of shopSql) await emulator.query(sql)
  for (const { name, query, answer, isOnlyAnalyzed } of shapes) {
    const { text, slots, shape: own } = compileQuery(query, { stringifyNumericTypes: false })
    const shape = own as StatementShape
    const texts = slots.map((slot) => (slot.kind === 'constant' ? slot.text : null))
    const response = await fetch(`${emulator.url}/bigquery/v2/projects/${emulator.project}/queries`, {
      method: 'POST',
      body: JSON.stringify({ query: text, useLegacySql: false, queryParameters: queryParameters(shape, texts, 1000) }),
    })
    const { rows = [], error } = JSON.parse(await response.text())
    assert.equal(error?.message, undefined, `${name}: ${text}`)
    if (isOnlyAnalyzed) continue
    const assembler = assembleRows(shape.answer)
    finish(assembler.add(rows))
    assert.deepEqual(JSON.parse(assembler.finish().toString()), answer, `${name}: ${text}`)
  }
})
