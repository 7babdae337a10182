import { invalid, type Path } from '../../errors.ts'

const firstKey = /^[A-Za-z_][A-Za-z0-9_-]*/
const steps = [
  { pattern: /^\.?\[(\d{1,9})\]/, key: (found: string) => String(Number(found)) },
  { pattern: /^\.?\['((?:[^'\\]|\\.)*)'\]/, key: unescaped },
  { pattern: /^\.?\["((?:[^"\\]|\\.)*)"\]/, key: unescaped },
  { pattern: /^\.([A-Za-z_][A-Za-z0-9_-]*)/, key: (found: string) => found },
] as const

/** Characters; of millions the patterns below need more stack than there is. */
const longest = 10_000

/**
 * Parses the `path` of a json column into keys (reference/graphql-schema#object-types). Throws validation-failed `parse
 * json path error: …` at path.
 */
export function jsonPathKeys(text: string, path: Path): readonly string[] {
  if (text.length > longest) throw invalid(path, `parse json path error: longer than ${longest} characters`)
  const keys: string[] = []
  let rest = text.startsWith('$') ? text.slice(1) : text
  const [first] = text.startsWith('$') ? [] : (firstKey.exec(rest) ?? [])
  if (first !== undefined) {
    keys.push(first)
    rest = rest.slice(first.length)
  }
  while (rest !== '') {
    const step = nextStep(rest)
    if (!step)
      throw invalid(
        path,
        `parse json path error: unexpected ${JSON.stringify(rest.slice(0, 20))} at ${text.length - rest.length}`,
      )
    keys.push(step.key)
    rest = rest.slice(step.length)
  }
  return keys
}

function nextStep(rest: string): { readonly key: string; readonly length: number } | null {
  for (const { pattern, key } of steps) {
    const found = pattern.exec(rest)
    if (found) return { key: key(found[1] ?? ''), length: found[0].length }
  }
  return null
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1')
}
