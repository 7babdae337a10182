import { isRecord, type Json } from '@svc/schema'

/**
 * A source's value for the history: without the passwords of databases, which must not outlive their use there. Other
 * kinds of object are unchanged.
 */
export function redactValue(type: string, value: Json): Json {
  if (type !== 'source' || !isRecord(value)) return value
  return { ...value, configuration: redact(value.configuration ?? null) }
}

const secretKeys = new Set(['password', 'sslpassword', 'private_key', 'service_account'])

function redact(json: Json): Json {
  if (typeof json === 'string') return redactText(json)
  if (Array.isArray(json)) return json.map((item: Json) => redact(item))
  if (!isRecord(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      secretKeys.has(key) && !isReference(value) ? '***' : redact(value),
    ]),
  )
}

/** A variable's name is no secret. */
const isReference = (json: Json): boolean => isRecord(json) && Object.keys(json).join() === 'from_env'

/** URLs with a password, and `key=value` forms of connection strings. */
function redactText(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#]*?):.*@(?=[^@]*$)/i, '$1:***@')
    .replace(/((?:^|[?&;\s])(?:password|pwd|sslpassword)\s*=\s*)('(?:[^'\\]|\\.)*'|\{[^}]*\}|[^\s&;]*)/gi, '$1***')
}
