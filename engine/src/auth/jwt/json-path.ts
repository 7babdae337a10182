/** A place in a JSON document: `$`, `$.a.b`, `$.a['x%y']`, `$.['x.y'].b`, `$.a[0]` (reference/authentication#jwt). */
export type JsonPath = readonly (string | number)[]

/** Throws Error with the reason. */
export function parseJsonPath(text: string): JsonPath {
  const steps: (string | number)[] = []
  let rest = text.startsWith('$') ? text.slice(1) : `.${text}`
  while (rest !== '') {
    const match = STEP.exec(rest)
    if (!match) throw new Error(`"${text}" is no JSON path: cannot read "${rest}"`)
    const [whole, name, single, double, index] = match
    if (index !== undefined) steps.push(Number(index))
    else steps.push(name ?? unescaped(single ?? double ?? ''))
    rest = rest.slice(whole.length)
  }
  return steps
}

const STEP = /^(?:\.([^.[\]'"\s]+)|\.?\['((?:[^'\\]|\\.)*)'\]|\.?\["((?:[^"\\]|\\.)*)"\]|\[(\d{1,9})\])/

const unescaped = (quoted: string) => quoted.replace(/\\(.)/g, '$1')

/** Returns the value at a path; undefined when there is none. */
export function valueAtPath(json: unknown, path: JsonPath): unknown {
  let value = json
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value) !== (typeof step === 'number')) return undefined
    if (!Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return value
}
