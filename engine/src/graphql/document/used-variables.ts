import {
  type ArgumentNode,
  type DirectiveNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { invalid, Path } from '../../errors.ts'
import type { ChosenOperation } from './select-operation.ts'
import { shortened, tooDeep } from './too-deep.ts'

/**
 * Variables that the operation uses, in skipped and dropped parts too, each fragment read once.
 * Throws validation-failed for undefined fragments and cycles of them (reference/queries#validation), and for chains
 * deeper than `maxDepth`.
 */
export function usedVariables({ operation, fragments }: ChosenOperation, maxDepth: number): ReadonlySet<string> {
  const reader: Reader = { used: new Set(), fragments, done: new Set(), open: [], depth: 0, maxDepth }
  readDirectives(operation.directives, reader)
  readSelections(operation.selectionSet, reader, Path.root.at('selectionSet'))
  return reader.used
}

interface Reader {
  readonly used: Set<string>
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly done: Set<string>
  /** The chain of fragments being read. */
  readonly open: string[]
  /** Selection sets being read, one inside the other. */
  depth: number
  readonly maxDepth: number
}

function readSelections(selectionSet: SelectionSetNode, reader: Reader, path: Path): void {
  reader.depth++
  if (reader.depth > reader.maxDepth) throw tooDeep(Path.root.at('query'), reader.maxDepth)
  for (const selection of selectionSet.selections) {
    readDirectives(selection.directives, reader)
    switch (selection.kind) {
      case Kind.FIELD:
        readArguments(selection.arguments, reader)
        if (selection.selectionSet)
          readSelections(selection.selectionSet, reader, path.at(selection.name.value, 'selectionSet'))
        break
      case Kind.INLINE_FRAGMENT:
        readSelections(selection.selectionSet, reader, path)
        break
      case Kind.FRAGMENT_SPREAD:
        readFragment(selection.name.value, reader, path)
        break
    }
  }
  reader.depth--
}

function readFragment(name: string, reader: Reader, path: Path): void {
  const fragment = reader.fragments.get(name)
  if (!fragment) throw invalid(path, `reference to undefined fragment "${name}"`)
  const start = reader.open.indexOf(name)
  if (start >= 0)
    throw invalid(shortened(path), `the fragment definition(s) ${english(reader.open.slice(start))} form a cycle`)
  if (reader.done.has(name)) return
  reader.open.push(name)
  readDirectives(fragment.directives, reader)
  readSelections(fragment.selectionSet, reader, path.at(name, 'selectionSet'))
  reader.open.pop()
  reader.done.add(name)
}

/** `a and b`, `a, b, and c` */
function english(names: readonly string[]): string {
  if (names.length > 20) return `${names.slice(0, 20).join(', ')}, and ${names.length - 20} more`
  if (names.length <= 2) return names.join(' and ')
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
}

function readDirectives(directives: readonly DirectiveNode[] | undefined, reader: Reader): void {
  for (const directive of directives ?? []) readArguments(directive.arguments, reader)
}

function readArguments(args: readonly ArgumentNode[] | undefined, reader: Reader): void {
  for (const argument of args ?? []) readValue(argument.value, reader)
}

function readValue(value: ValueNode, reader: Reader): void {
  switch (value.kind) {
    case Kind.VARIABLE:
      reader.used.add(value.name.value)
      return
    case Kind.LIST:
      for (const item of value.values) readValue(item, reader)
      return
    case Kind.OBJECT:
      for (const field of value.fields) readValue(field.value, reader)
      return
    case Kind.INT:
    case Kind.FLOAT:
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.NULL:
    case Kind.ENUM:
      return
  }
}
