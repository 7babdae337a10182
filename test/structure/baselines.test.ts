import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const bare = (text: string): string => text.replaceAll(/\s/g, '')

test('the SQL of docs/performance.md is what the bench sends', () => {
  const sent = bare(['queries', 'bare-writes'].map((name) => read(`bench/graphql/${name}.ts`)).join())
  const blocks = [...read('docs/performance.md').matchAll(/```sql\n(.*?)```/gs)].map(([, block]) => block ?? '')
  const statements = blocks.flatMap((block) => block.replaceAll(/^-- .*$/gm, '').split(';')).map(bare)
  const shown = statements.filter((statement) => statement !== '')
  assert.deepEqual(
    shown.filter((statement) => !sent.includes(statement)),
    [],
  )
  assert.equal(shown.length, 11)
})
