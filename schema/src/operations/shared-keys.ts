/** The keys that most operations share. */
import { boolean, filled, type Schema, text } from '../shape.ts'

export const sourceName: Schema<string> = filled(text, 'default')
export const cascade: Schema<boolean> = filled(boolean, false)
