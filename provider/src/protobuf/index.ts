/**
 * protobuf: messages as tables of fields, to and from bytes. Begin at message.ts; reader.ts and writer.ts are the
 * wire format itself. Knows no particular message.
 */
export {
  type AnswerTo,
  type AnyMessage,
  bool,
  bytes,
  type Decoded,
  double,
  type Encodable,
  enumeration,
  int64,
  type Message,
  many,
  mapOf,
  maybeInt64,
  maybeText,
  message,
  one,
  type Rpc,
  text,
  texts,
  textsByKey,
} from './message.ts'
export { Reader } from './reader.ts'
export { Writer } from './writer.ts'
