import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginText, endText, escaped, writeBytes, writeEscaped, writeNumber, writeQuoted } from './text-writer.ts'

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

/** Of the memory that a text begins with. */
const FIRST = 65_536

/** A text of that many bytes, and the memory it is in no larger than at first. */
function begin(size: number): string {
  beginText()
  // more than is kept for the next one
  writeBytes(Buffer.alloc(4_194_305, 'x'))
  beginText()
  writeBytes(Buffer.alloc(size, 'a'))
  return 'a'.repeat(size)
}

test('what does not fit into the memory of a text is not cut off, however it is written', () => {
  const quoted = Buffer.from('"q\\q"')
  const parts: readonly (readonly [write: () => void, written: string])[] = [
    [() => writeBytes(Buffer.from('short')), 'short'],
    [() => writeBytes(Buffer.alloc(33, 'l')), 'l'.repeat(33)],
    [() => writeNumber(12_345), '12345'],
    [() => writeNumber(0), '0'],
    [() => writeEscaped('say "hi" \\'), 'say \\"hi\\" \\\\'],
    [() => writeEscaped('line\nß'), 'line\\nß'],
    [() => writeQuoted(quoted, 1, 4), 'q\\\\q'],
  ]
  for (const [write, written] of parts)
    for (const left of [0, 1, 4, 5, 32, 33, 34]) {
      const before = begin(FIRST - left)
      write()
      writeBytes(Buffer.from('end'))
      assert.ok(endText().equals(Buffer.from(`${before}${written}end`)), `${written} with ${left} bytes left`)
    }
})

test('a text is a copy, which the next one does not overwrite', () => {
  beginText()
  writeEscaped('first')
  const first = endText()
  beginText()
  writeEscaped('other')
  assert.deepEqual([String(first), String(endText())], ['first', 'other'])
})
