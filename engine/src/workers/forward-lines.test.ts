import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { forwardLines } from './forward-lines.ts'

test('lines of two processes do not mix, however they arrive', async () => {
  const [a, b, out] = [new PassThrough(), new PassThrough(), new PassThrough()]
  forwardLines(a, out)
  forwardLines(b, out)
  a.write('a1\na')
  b.write('b1')
  a.write('2')
  a.write('\na3')
  b.write('\nb2\n')
  const ended = Promise.all([a, b].map((stream) => new Promise((resolve) => stream.once('end', resolve))))
  a.end()
  b.end()
  await ended
  out.end()
  const lines = (await out.toArray()).join('').split('\n')
  assert.deepEqual(lines.toSorted(), ['', 'a1', 'a2', 'a3', 'b1', 'b2'])
})
