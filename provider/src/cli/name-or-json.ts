import { isRecord, type JsonObject, parseExactly } from '@svc/schema'
import { InvalidArgumentError } from 'commander'

/** For an option that may be repeated: a name, which stands for an object with it at `key`, or the object as JSON. */
export const nameOrJson =
  (key: string) =>
  (text: string, before: readonly JsonObject[] = []): readonly JsonObject[] => [...before, objectOf(key, text)]

function objectOf(key: string, text: string): JsonObject {
  if (!text.startsWith('{')) return { [key]: text }
  try {
    const json = parseExactly(text)
    if (isRecord(json)) return json
  } catch {
    // said below
  }
  throw new InvalidArgumentError('expected a name or a JSON object')
}
