import type { Advice } from '../advice/index.ts'
import { type FilePlace, placeText } from '../directory/index.ts'

/** Advice as lines for people, what is silenced left out. */
export const adviceLines = (advice: readonly (Advice & Partial<FilePlace>)[]): readonly string[] =>
  advice.flatMap(({ rule, object, message, remedy, silenced, file = null, line = null }) => {
    if (silenced !== null) return []
    return [`${placeText({ file, line })}${rule}: ${object}: ${message}`, `  ${remedy}`]
  })
