/** google-protobuf's own Struct: what a value looks like to others. */
import structs from 'google-protobuf/google/protobuf/struct_pb.js'

export const { Struct } = structs
export type { JavaScriptValue } from 'google-protobuf/google/protobuf/struct_pb.js'

const SIGNATURE = '4dabf18193072939515e22adb298388d'

/** A secret as Pulumi sends it. */
export const secret = (value: unknown) => ({ [SIGNATURE]: '1b47061264138c4ac30d75fd1eb44270', value })

/** What is not known yet, of a text. */
export const unknownText = '04da6b54-80e4-46f7-96ec-b56ff0331ba9'

/** An output as it may be sent, unknown where it has no value. */
export const output = (value?: unknown, isSecret = false) => ({
  [SIGNATURE]: 'd0e6a833031e9bbcd3f4e8bde6ca49a4',
  ...(value !== undefined && { value }),
  ...(isSecret && { secret: true }),
})

/** A resource as a value. */
export const resource = (urn: string, id: string) => ({
  [SIGNATURE]: '5cf8f73096256a8f31e491e813e4eb8e',
  urn,
  id,
})
