import type { ASTNode, DocumentNode } from 'graphql'
import { GraphQLError } from 'graphql/error/GraphQLError.js'
import { parse } from 'graphql/language/parser.js'
import { print } from 'graphql/language/printer.js'
import { visit } from 'graphql/language/visitor.js'

/**
 * A schema as text, so that those that mean the same are the same text: without descriptions and comments, everything
 * whose order says nothing in one order. Directives remain: presets are a part of a permission. Throws GraphQLError.
 */
export function sdlMeaning(sdl: string): string {
  const document: DocumentNode = parse(sdl, { noLocation: true })
  const normal: DocumentNode = visit(document, {
    leave: (node) => inOrder(withoutDescription(node)),
  })
  return normal.definitions.map(print).sort().join('\n')
}

/** The message where it is no schema. */
export function sdlFault(sdl: string): string | null {
  try {
    parse(sdl, { noLocation: true })
    return null
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const [place] = error.locations ?? []
    return place ? `${error.message} (line ${place.line}, column ${place.column})` : error.message
  }
}

function withoutDescription(node: ASTNode): ASTNode {
  if (!('description' in node)) return node
  const { description: _, ...others } = node
  return others as ASTNode
}

/** Lists of nodes whose order says nothing. Values of lists keep theirs. */
const unordered = [
  'arguments',
  'directives',
  'fields',
  'interfaces',
  'locations',
  'operationTypes',
  'types',
  'values',
] as const

function inOrder(node: ASTNode): ASTNode {
  if (node.kind === 'ListValue' || node.kind === 'Document') return node
  if (node.kind === 'StringValue') return { ...node, block: false }
  const lists = new Map<string, unknown>(Object.entries(node))
  const sorted = unordered.flatMap((name) => {
    const list = lists.get(name)
    return isNodes(list) && list.length > 1 ? [[name, [...list].sort(byText)] as const] : []
  })
  return sorted.length === 0 ? node : ({ ...node, ...Object.fromEntries(sorted) } as ASTNode)
}

const isNodes = (list: unknown): list is readonly ASTNode[] => Array.isArray(list)

function byText(a: ASTNode, b: ASTNode): number {
  const [one, other] = [print(a), print(b)]
  return one < other ? -1 : one > other ? 1 : 0
}
