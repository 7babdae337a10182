import { isNumber, numberText } from '../../../exact-json/index.ts'

/** Returns a GeoJSON geometry as well-known text; null for what is none. A reference system that it names is ignored. */
export function wellKnownText(json: unknown): string | null {
  if (typeof json !== 'object' || json === null) return null
  const { type, coordinates, geometries } = json as Readonly<Record<string, unknown>>
  if (type === 'GeometryCollection') return tagged('GEOMETRYCOLLECTION', list(geometries, wellKnownText))
  const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined
  return shape && typeof type === 'string' ? tagged(type.toUpperCase(), shape(coordinates)) : null
}

type Part = (json: unknown) => string | null

const tagged = (tag: string, body: string | null): string | null =>
  body === null ? null : body === '()' ? `${tag} EMPTY` : `${tag} ${body}`

/** Returns `(a, b)`, or null where a member is none. */
function list(json: unknown, part: Part, least = 0): string | null {
  if (!Array.isArray(json) || json.length < least) return null
  const parts = json.map(part)
  return parts.includes(null) ? null : `(${parts.join(', ')})`
}

const position: Part = (json) =>
  Array.isArray(json) && json.length >= 2 && json.every(isNumber) ? json.map(numberText).join(' ') : null

const inParentheses: Part = (json) => {
  const text = position(json)
  return text === null ? null : `(${text})`
}

const line: Part = (json) => list(json, position, 2)

const ring: Part = (json) => {
  const text = list(json, position, 4)
  return text !== null && Array.isArray(json) && position(json[0]) === position(json.at(-1)) ? text : null
}

const polygon: Part = (json) => list(json, ring)

const shapes: Readonly<Record<string, Part>> = {
  Point: inParentheses,
  MultiPoint: (json) => list(json, inParentheses),
  LineString: line,
  MultiLineString: (json) => list(json, line),
  Polygon: polygon,
  MultiPolygon: (json) => list(json, polygon),
}
