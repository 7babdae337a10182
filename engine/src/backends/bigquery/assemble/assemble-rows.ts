import type { LongWork } from '../../../long-work.ts'
import type { AnswerShape, MemberShape, ValueShape } from '../statement-shape.ts'
import type { ResultRow, ResultValue } from './result-rows.ts'
import { scalarJson } from './scalar-json.ts'

/** Takes the pages of one result as they come, and makes the JSON text of the answer. */
export interface Assembler {
  /** The JSON of a page's rows, in pieces: it yields with the number of rows done. */
  add(rows: readonly ResultRow[]): LongWork<void>
  /** Bytes of JSON so far, at least. */
  readonly bytes: number
  finish(): Buffer
}

/** Rows between two yields. */
const ROWS = 64

/** Makes an assembler of results of this shape, whose columns come in the order of its members. */
export function assembleRows({ kind, members }: AnswerShape): Assembler {
  const write = objectWriter(members)
  const pieces: Buffer[] = []
  let bytes = 0
  return {
    *add(rows) {
      for (let start = 0; start < rows.length; start += ROWS) {
        const page = rows.slice(start, start + ROWS)
        const texts = page.map(write).join(',')
        const piece = Buffer.from(pieces.length === 0 ? texts : `,${texts}`)
        pieces.push(piece)
        bytes += piece.length
        yield page.length
      }
    },
    get bytes() {
      return bytes
    },
    finish() {
      if (kind === 'row') return pieces.length === 0 ? Buffer.from('null') : Buffer.concat(pieces)
      return Buffer.concat([Buffer.from('['), ...pieces, Buffer.from(']')])
    },
  }
}

/** JSON of a value, made of the shape once for all rows. */
type Writer = (value: ResultValue) => string

function objectWriter(members: readonly MemberShape[]): (row: ResultRow) => string {
  const parts: { readonly before: string; readonly write: Writer }[] = []
  let before = '{'
  members.forEach(({ key, of }, i) => {
    before += `${i === 0 ? '' : ','}${JSON.stringify(key)}:`
    if (of.kind === 'typename') before += JSON.stringify(of.name)
    else {
      parts.push({ before, write: writerOf(of) })
      before = ''
    }
  })
  const end = `${before}}`
  return ({ f }) => {
    let text = ''
    for (const [i, part] of parts.entries()) text += part.before + part.write(f[i]?.v ?? null)
    return text + end
  }
}

function writerOf(shape: ValueShape): Writer {
  switch (shape.kind) {
    case 'scalar': {
      const { type } = shape
      const one: Writer = (value) => (typeof value === 'string' ? scalarJson(type, value) : 'null')
      return shape.list ? (value) => `[${listOf(value).map(one).join(',')}]` : one
    }
    case 'object': {
      const write = objectWriter(shape.members)
      return (value) => (isRow(value) ? write(value) : shape.absent)
    }
    case 'list': {
      const write = objectWriter(shape.members)
      // NULL is a list without rows
      return (value) =>
        `[${listOf(value)
          .map((row) => (isRow(row) ? write(row) : 'null'))
          .join(',')}]`
    }
  }
}

const listOf = (value: ResultValue): readonly ResultValue[] => (isList(value) ? value.map(({ v }) => v) : [])

const isList = (value: ResultValue): value is Extract<ResultValue, readonly unknown[]> => Array.isArray(value)

const isRow = (value: ResultValue): value is ResultRow => typeof value === 'object' && value !== null && 'f' in value
