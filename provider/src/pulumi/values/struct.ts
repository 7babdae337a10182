import type { Message } from '../../protobuf/index.ts'
import { type Properties, readStruct } from './read-struct.ts'
import { writeStruct } from './write-struct.ts'

/** `google.protobuf.Struct` as a message inside others: read and written directly, since a plan does little else. */
export const struct: Message<Properties, Properties> = { decode: readStruct, encode: writeStruct }

export const noProperties: Properties = { values: {}, secrets: null }
