import { type ASTNode, type DocumentNode, Kind, print, visit } from 'graphql'

/**
 * One text for documents that the allow-list takes for the same
 * (reference/stored-queries#collections-and-the-allow-list): `__typename` is left out wherever it is selected,
 * arguments and keys of objects are in order, a string is written in one way. All else counts.
 */
export function normalText(document: DocumentNode): string {
  return print(
    visit(document, {
      SelectionSet: {
        leave: (node) => ({
          ...node,
          selections: node.selections.filter(
            (selection) => selection.kind !== Kind.FIELD || selection.name.value !== '__typename',
          ),
        }),
      },
      Field: { leave: (node) => ({ ...node, arguments: sorted(node.arguments) }) },
      Directive: { leave: (node) => ({ ...node, arguments: sorted(node.arguments) }) },
      ObjectValue: { leave: (node) => ({ ...node, fields: sorted(node.fields) }) },
      StringValue: { leave: (node) => ({ ...node, block: false }) },
    }),
  )
}

const sorted = <T extends ASTNode & { readonly name: { readonly value: string } }>(
  nodes: readonly T[] | undefined,
): readonly T[] => [...(nodes ?? [])].sort((a, b) => (a.name.value < b.name.value ? -1 : 1))
