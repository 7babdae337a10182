/** The keys that most operations share. */
import type { NameStyle } from '../backend-kind.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { boolean, filled, type Schema, text } from '../shape.ts'

export const sourceName: Schema<string> = filled(text, 'default')
export const cascade: Schema<boolean> = filled(boolean, false)

/** By which a table of a source is named, and what is in it. */
export const inTable = (style: NameStyle) => ({ source: sourceName, table: qualifiedName(style) })
