/** FOR JSON PATH: nesting at the points of names, each type as the server prints it. */
import { exactText } from './cast.ts'
import type { QueryColumn } from './compile-query.ts'
import type { Row } from './database.ts'
import { jsonString } from './json-text.ts'
import { ServerError } from './server-error.ts'
import type { ForJson } from './syntax.ts'
import { temporalText } from './temporal.ts'
import { familyOf, type Moment, type Scalar, type SqlType, scaleOf } from './types.ts'

type Property = {
  readonly name: string
  readonly value: { readonly column: number } | { readonly of: readonly Property[] }
}

export function writeForJson(
  columns: readonly QueryColumn[],
  { includesNulls, isBare, root }: ForJson,
): (rows: readonly Row[]) => string {
  const properties = nest(columns.map(({ name }, column) => ({ path: pathOf(name), column })))
  const write = (row: Row, list: readonly Property[]): string => {
    const members = list.flatMap(({ name, value }) => {
      if ('of' in value) {
        const inside = write(row, value.of)
        return inside === '{}' && !includesNulls ? [] : [`${jsonString(name)}:${inside}`]
      }
      const cell = row[value.column] ?? null
      const column = columns[value.column]
      if (cell === null || !column) return includesNulls ? [`${jsonString(name)}:null`] : []
      return [`${jsonString(name)}:${column.isJson ? String(cell) : jsonOf(cell, column.type)}`]
    })
    return `{${members.join(',')}}`
  }
  return (rows) => {
    const inside = rows.map((row) => write(row, properties)).join(',')
    const whole = isBare ? inside : `[${inside}]`
    return root === null ? whole : `{${jsonString(root)}:${whole}}`
  }
}

function pathOf(name: string | null): readonly string[] {
  if (name === null || name === '')
    throw new ServerError(
      13605,
      'Column expressions and data sources without names or aliases cannot be formatted as JSON text using FOR JSON clause. Add alias to the unnamed column or table.',
    )
  return name.split('.')
}

type Place = { readonly path: readonly string[]; readonly column: number }

function nest(places: readonly Place[]): readonly Property[] {
  const names = [...new Set(places.map(({ path }) => path[0] ?? ''))]
  return names.map((name) => {
    const inside = places.filter(({ path }) => path[0] === name)
    const [first] = inside
    if (first && inside.length === 1 && first.path.length === 1) return { name, value: { column: first.column } }
    const isSplit = inside.some(({ path }) => path.length === 1) || !isTogether(places, inside)
    if (isSplit)
      throw new ServerError(
        13601,
        `Property '${inside.at(-1)?.path.join('.')}' cannot be generated in JSON output due to a conflict with another column name or alias. Use different names and aliases for each column in SELECT list.`,
      )
    return { name, value: { of: nest(inside.map(({ path, column }) => ({ path: path.slice(1), column }))) } }
  })
}

/** Properties of one object have to stand side by side. */
const isTogether = (places: readonly Place[], inside: readonly Place[]): boolean =>
  places.indexOf(inside.at(-1) as Place) - places.indexOf(inside[0] as Place) === inside.length - 1

function jsonOf(cell: Scalar, type: SqlType): string {
  switch (familyOf(type)) {
    case 'integer':
      return String(cell)
    case 'bit':
      return cell === 1n ? 'true' : 'false'
    case 'exact':
      return exactText(cell as bigint, scaleOf(type))
    case 'approximate':
      return exponentText(cell as number, type.name === 'real' ? 7 : 15)
    case 'temporal':
      return jsonString(temporalText(cell as bigint | Moment, type, true))
    case 'binary':
      return jsonString((cell as Buffer).toString('base64'))
    case 'text':
    case 'guid':
      return jsonString(String(cell))
    case 'opaque':
      if (type.name === 'geometry' || type.name === 'geography')
        throw new ServerError(
          13604,
          'FOR JSON cannot serialize CLR objects. Cast CLR types explicitly into one of the supported types in FOR JSON queries.',
        )
      return jsonString(String(cell))
  }
}

/** 1.600012207031250e+001 */
function exponentText(value: number, digits: number): string {
  const [head = '', exponent = '+0'] = value.toExponential(digits).split('e')
  return `${head}e${exponent[0]}${exponent.slice(1).padStart(3, '0')}`
}
