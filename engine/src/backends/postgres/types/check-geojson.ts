import { isRawNumber } from '../../../exact-json/index.ts'

/**
 * Returns why a GeoJSON geometry would be refused, or null (reference/values#values-of-input). The database checks the
 * rest.
 */
export function geometryProblem(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json) || isRawNumber(json))
    return 'a geometry is a GeoJSON object'
  const { type, coordinates, geometries } = json as Record<string, unknown>
  switch (type) {
    case 'Point':
      return positionProblem(coordinates)
    case 'MultiPoint':
      return each(coordinates, positionProblem)
    case 'LineString':
      return lineProblem(coordinates)
    case 'MultiLineString':
      return each(coordinates, lineProblem)
    case 'Polygon':
      return each(coordinates, ringProblem)
    case 'MultiPolygon':
      return each(coordinates, (polygon) => each(polygon, ringProblem))
    case 'GeometryCollection':
      return each(geometries, geometryProblem)
    default:
      return type === undefined ? 'key "type" not found' : `unexpected geometry type: ${String(type)}`
  }
}

function each(json: unknown, problem: (part: unknown) => string | null): string | null {
  if (!Array.isArray(json)) return 'a list of coordinates is expected'
  return json.reduce<string | null>((found, part) => found ?? problem(part), null)
}

function positionProblem(json: unknown): string | null {
  if (!Array.isArray(json) || json.length < 2) return 'a Position needs at least 2 elements'
  return json.every((number) => typeof number === 'number' || isRawNumber(number))
    ? null
    : 'a Position is made of numbers'
}

function lineProblem(json: unknown): string | null {
  if (!Array.isArray(json) || json.length < 2) return 'A LineString needs at least 2 Positions'
  return each(json, positionProblem)
}

function ringProblem(json: unknown): string | null {
  if (!Array.isArray(json) || json.length < 4) return 'A LinearRing needs at least 4 Positions'
  const [first, last] = [json[0], json.at(-1)]
  if (JSON.stringify(first) !== JSON.stringify(last))
    return 'the first and last locations have to be equal for a LinearRing'
  return each(json, positionProblem)
}
