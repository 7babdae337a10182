import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { type RawDataRow, splitRows } from './split-rows.ts'

function message(code: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.write(code)
  header.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([header, body])
}

function row(fields: readonly (string | null)[]): Buffer {
  const count = Buffer.alloc(2)
  count.writeInt16BE(fields.length)
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(field === null ? -1 : Buffer.byteLength(field))
    return field === null ? [length] : [length, Buffer.from(field)]
  })
  return message('D', Buffer.concat([count, ...parts]))
}

test('rows and other messages come out the same however the bytes are cut', async () => {
  const rows = [['a', null, ''], ['é'.repeat(40)], [], ['{"x": 1}', 'b']]
  const others = [
    message('C', Buffer.from('SELECT 1\0')),
    message('Z', Buffer.from('I')),
    message('2', Buffer.alloc(0)),
  ]
  const bytes = Buffer.concat(rows.flatMap((fields, i) => [row(fields), others[i % others.length] ?? Buffer.alloc(0)]))
  for (let size = 1; size <= bytes.length; size++) {
    const stream = new PassThrough()
    const received: RawDataRow[] = []
    const rest: Buffer[] = []
    splitRows(stream, (data) => received.push(data), { busy: false, receive: () => {}, refuses: () => false }).on(
      'data',
      (chunk: Buffer) => rest.push(Buffer.from(chunk)),
    )
    for (let i = 0; i < bytes.length; i += size) stream.write(bytes.subarray(i, i + size))
    stream.end()
    await new Promise((resolve) => stream.once('end', resolve))
    assert.deepEqual(
      received.map(({ fields }) => fields.map((field) => field?.toString() ?? null)),
      rows,
    )
    assert.deepEqual(rest, [others[0], others[1], others[2], others[0]])
  }
})

test('a row that is refused is thrown away however the bytes are cut, and what follows is read', async () => {
  const small = row(['x'])
  const ready = message('Z', Buffer.from('I'))
  const bytes = Buffer.concat([small, row(['y'.repeat(50)]), ready, small, ready])
  // small enough pieces for none to hold the row
  for (let size = 1; size < 50; size++) {
    const stream = new PassThrough()
    const received: Buffer[] = []
    const taker = {
      busy: true,
      receive: (data: Buffer, start: number, end: number) => received.push(Buffer.from(data.subarray(start, end))),
      refuses: (length: number) => length > 40,
    }
    splitRows(stream, () => assert.fail('the other reader was called'), taker)
    for (let i = 0; i < bytes.length; i += size) stream.write(bytes.subarray(i, i + size))
    stream.end()
    await new Promise((resolve) => stream.once('end', resolve))
    assert.deepEqual(received, [small, ready, small, ready])
  }
})
