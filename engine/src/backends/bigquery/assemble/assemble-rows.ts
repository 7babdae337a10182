import type { LongWork } from '../../../long-work.ts'
import type { AnswerShape } from '../statement-shape.ts'
import type { ResultField, ResultRow } from './result-rows.ts'
import { resultJson } from './result-value.ts'

/** Takes the pages of one result as they come, and makes the JSON text of the answer. */
export interface Assembler {
  /** The JSON of a page's rows, in pieces: it yields with the number of rows done. */
  add(rows: readonly ResultRow[]): LongWork<void>
  /** Bytes of JSON so far, at least. */
  readonly bytes: number
  finish(): Buffer
}

/** Makes an assembler of results with these columns. */
export function assembleRows(shape: AnswerShape, fields: readonly ResultField[]): Assembler {
  const objects: string[] = []
  let bytes = 0
  return {
    *add(rows) {
      for (const row of rows) {
        const object = resultJson({ name: '', type: 'RECORD', fields }, row)
        bytes += object.length
        objects.push(object)
        yield 1
      }
    },
    get bytes() {
      return bytes
    },
    finish: () => Buffer.from(shape.kind === 'rows' ? `[${objects.join(',')}]` : (objects[0] ?? 'null')),
  }
}
