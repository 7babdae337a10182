/** How Pulumi marks values in a google.protobuf.Struct that JSON has no word for. */

/** The key that says that an object stands for something else. */
export const SIGNATURE = '4dabf18193072939515e22adb298388d'

export const SECRET = '1b47061264138c4ac30d75fd1eb44270'
export const OUTPUT = 'd0e6a833031e9bbcd3f4e8bde6ca49a4'
export const RESOURCE = '5cf8f73096256a8f31e491e813e4eb8e'

/** Of a text; any other kind of value is unknown by it as well. */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9'

/** A text, a boolean, a number, a list, an asset, an archive, an object. */
export const UNKNOWNS: ReadonlySet<string> = new Set([
  UNKNOWN,
  '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
  '3eeb2bf0-c639-47a8-9e75-3b44932eb421',
  '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2',
  '030794c1-ac77-496b-92df-f27374a8bd58',
  'e48ece36-62e2-4504-bad9-02848725956a',
  'dd056dcd-154b-4c76-9bd3-c8f88648b5ff',
])
