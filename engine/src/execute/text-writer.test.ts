import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginText, endText, escaped, writeBytes, writeEscaped, writeNumber } from './text-writer.ts'

test('what is written is what was given, escaped for JSON, whatever its length', () => {
  const texts = ['', 'plain', '"quoted" \\ \n', 'ä😀\u2028\ud800', 'x'.repeat(100_000), '"'.repeat(70_000)]
  const numbers = [0, 9, 10, 123, 4_294_967_296, Number.MAX_SAFE_INTEGER]
  for (const _ of [1, 2]) {
    beginText()
    for (const text of texts) writeEscaped(text)
    for (const number of numbers) writeNumber(number)
    for (const text of texts) writeBytes(escaped(text))
    const all = texts.join('')
    // half of a pair becomes an escape, so it is compared after JSON has read it
    assert.equal(JSON.parse(`"${endText()}"`), all + numbers.join('') + all)
  }
})
