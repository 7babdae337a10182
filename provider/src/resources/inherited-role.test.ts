import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

test('the declaration that docs/resources.md shows whole is the one there is', () => {
  const [, shown = ''] = /```ts\n(.*?)```/s.exec(readFileSync('docs/resources.md', 'utf8')) ?? []
  const written = readFileSync('provider/src/resources/inherited-role.ts', 'utf8')
  const said = (text: string) => text.replace(/ \/\/ .*/g, '').replace(/\s+/g, ' ')
  assert.equal(said(shown), said(written))
})
