import type { Readable, Writable } from 'node:stream'

const newline = 0x0a

/** Passes whole lines on, so that those of several processes do not mix; what is left of the last one at the end as well. */
export function forwardLines(from: Readable, to: Writable): void {
  let begun: Buffer[] = []
  from.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(newline) + 1
    if (end === 0) {
      begun.push(chunk)
      return
    }
    for (const part of begun) to.write(part)
    to.write(chunk.subarray(0, end))
    begun = end < chunk.length ? [chunk.subarray(end)] : []
  })
  from.once('end', () => {
    if (begun.length > 0) to.write(Buffer.concat([...begun, Buffer.from('\n')]))
  })
  from.on('error', () => {})
}
