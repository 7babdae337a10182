import type { Statement } from '../../backend.ts'

const statement =
  (effects: Statement['effects']) =>
  (texts: TemplateStringsArray, ...parts: readonly (string | number)[]): Statement => ({
    slots: [],
    effects,
    text: String.raw({ raw: texts }, ...parts),
  })

/** A constant text that only reads; its parameters are numbered in it. */
export const reads = statement('none')

/** The same of one that writes. */
export const writes = statement('writes')
