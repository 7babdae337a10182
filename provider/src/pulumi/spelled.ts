import { onceFor } from '../lazily.ts'
import { type Attributes, innermost, type Path } from '../resources/index.ts'
import { pulumiName } from './names.ts'
import { propertyPath } from './values/named-values.ts'

/**
 * A text of the core in the names that Pulumi's users know: the path that a line begins with, and names of attributes
 * anywhere but in double quotes, where users' and databases' own names stand.
 */
export function spelled(attributes: Attributes, text: string): string {
  const names = namesBelow(attributes)
  return text
    .split('\n')
    .map((line) => spelledLine(attributes, names, line))
    .join('\n')
}

function spelledLine(attributes: Attributes, names: ReadonlySet<string>, line: string): string {
  const path = leadingPath.exec(line)?.[0] ?? ''
  const [head = '', ...steps] = stepsOf(path)
  const isPath = Object.hasOwn(attributes, head)
  const rest = isPath ? line.slice(path.length) : line
  return `${isPath ? propertyPath(attributes, [head, ...steps]) : ''}${outsideQuotes(rest, (part) =>
    part.replace(snakeWord, (word) => (names.has(word) ? pulumiName(word) : word)),
  )}`
}

const leadingPath = /^[a-z]\w*(?:\.[A-Za-z_$][\w$]*|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*(?=:? )/
const snakeWord = /(?<![\w$])[a-z]+(?:_[a-z0-9]+)+(?![\w$])/g

function stepsOf(text: string): [string?, ...Path] {
  const steps = [...text.matchAll(/([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)].map(
    ([, name, index, key]) => name ?? (index === undefined ? String(JSON.parse(key ?? '""')) : Number(index)),
  )
  const [head, ...rest] = steps
  return head === undefined ? [] : [String(head), ...rest]
}

const outsideQuotes = (text: string, change: (part: string) => string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|[^"]+/g, (part) => (part.startsWith('"') ? part : change(part)))

const namesBelow = onceFor(
  (attributes: Attributes): ReadonlySet<string> => new Set([...allNames(attributes), ...anywhere]),
)

/** An option of every resource, and settings of the provider that texts about resources name. */
const anywhere = ['depends_on', 'adopt_existing', 'admin_secret', 'preview_checks', 'default_source', 'default_role']

const allNames = (attributes: Attributes): readonly string[] =>
  Object.entries(attributes).flatMap(([name, { type }]) => {
    const inner = innermost(type)
    return [name, ...(inner.kind === 'object' ? allNames(inner.attributes) : [])]
  })
