import { type Attributes, isValues, partsOf, type Value, type ValuePart, type Values } from '../resources/index.ts'
import { hidePasswords, redacted } from './redact.ts'

/** Hides everything secret in a text, wherever an engine or a database may have repeated it. */
export type HideSecrets = (text: string) => string

/** Returns a function that hides the values of sensitive attributes in a text, and passwords of addresses anywhere. */
export function hideSecrets(attributes: Attributes, ...states: readonly (Values | null)[]): HideSecrets {
  const hide = hideTexts(states.flatMap((values) => (values ? secretsOf(attributes, values) : [])))
  return (text) => hidePasswords(hide(text))
}

/** Returns a function that hides these texts in another one, but for those of three characters and less. */
export function hideTexts(secrets: readonly string[]): HideSecrets {
  const long = [...new Set(secrets)].filter((text) => text.length > 3).sort((a, b) => b.length - a.length)
  return (text) => long.reduce((hidden, secret) => hidden.replaceAll(secret, redacted), text)
}

const secretsOf = (attributes: Attributes, values: Values): readonly string[] =>
  partsOf({ kind: 'object', attributes }, values).flatMap(secretsIn)

const secretsIn = ({ type, value, attribute }: ValuePart): readonly string[] =>
  attribute?.sensitive ? textsOf(value) : partsOf(type, value).flatMap(secretsIn)

/** Texts at and below a value; those of JSON too, and the passwords of an address. */
function textsOf(value: Value): readonly string[] {
  if (typeof value === 'string') return [value, ...passwordsOf(value), ...textsOfJson(value)]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (!isValues(value)) return []
  // whose key it is, and of which project, is no secret and stands in many messages
  if (typeof value.private_key === 'string') return [value.private_key, JSON.stringify(value.private_key).slice(1, -1)]
  return Object.values(value).flatMap(textsOf)
}

function textsOfJson(text: string): readonly string[] {
  if (!/^\s*[[{]/.test(text)) return []
  try {
    return textsOf(JSON.parse(text) as Value)
  } catch {
    return []
  }
}

/** Of a URL before the host and in its query, of libpq's `keyword=value` pairs and of ODBC's; as written and as read. */
const passwordsOf = (address: string): readonly string[] =>
  passwordPlaces
    .flatMap((place) => [...address.matchAll(place)])
    .flatMap(([, text = '']) => [text, safeDecode(text), text.replaceAll('}}', '}')])

const passwordPlaces = [
  /^\w+:\/\/[^:/@\s]*:([^@\s]*(?:@[^/?#@\s]*)*)@/g,
  /[?&](?:ssl)?password=([^&#\s]*)/g,
  /(?:^|\s)(?:ssl)?password\s*=\s*'((?:[^'\\]|\\.)*)'/g,
  /(?:^|\s)(?:ssl)?password\s*=\s*([^'\s]\S*)/g,
  /(?:^|;)\s*(?:pwd|password)\s*=\s*([^;{\s][^;]*)/gi,
  /(?:^|;)\s*(?:pwd|password)\s*=\s*\{((?:[^}]|\}\})*)\}/gi,
]

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
