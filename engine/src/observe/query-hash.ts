import { createHash } from 'node:crypto'
import { Kind, parse, print, stripIgnoredCharacters, type ValueNode, visit } from 'graphql'

const mostKept = 1000
/** Characters. */
const longest = 10_000
const kept = new Map<string, string | null>()

/**
 * The same for queries that differ in the values of their arguments only (reference/logs, websocket-log); null for what is
 * no query, and for long ones, whose parsing would take longer than what is logged of them is worth.
 */
export function queryHash(query: string): string | null {
  const known = kept.get(query)
  if (known !== undefined) return known
  if (query.length > longest) return null
  const hash = hashOf(query)
  if (kept.size === mostKept) kept.clear()
  kept.set(query, hash)
  return hash
}

const placeholder: ValueNode = { kind: Kind.NULL }

function hashOf(query: string): string | null {
  try {
    const document = visit(parse(query, { noLocation: true }), {
      Argument: (node) => ({ ...node, value: placeholder }),
      VariableDefinition: ({ defaultValue: _, ...node }) => node,
    })
    return createHash('sha1')
      .update(stripIgnoredCharacters(print(document)))
      .digest('hex')
  } catch {
    return null
  }
}
