import {
  type ASTNode,
  type DocumentNode,
  type InterfaceTypeDefinitionNode,
  type ObjectTypeDefinitionNode,
  print,
  visit,
} from 'graphql'

/** Whatever the order of types, fields, arguments, values and members. */
export function normalText({ definitions }: DocumentNode): string {
  const sorted = <T extends ASTNode>(nodes: readonly T[] | undefined): readonly T[] =>
    [...(nodes ?? [])].sort((a, b) => (print(a) < print(b) ? -1 : 1))
  const fields = {
    leave: (node: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode) => ({
      ...node,
      description: undefined,
      fields: sorted(node.fields),
      interfaces: sorted(node.interfaces),
    }),
  }
  const texts = definitions.map((definition) =>
    print(
      visit(definition, {
        FieldDefinition: { leave: (node) => ({ ...node, description: undefined, arguments: sorted(node.arguments) }) },
        InputValueDefinition: { leave: (node) => ({ ...node, description: undefined }) },
        ObjectTypeDefinition: fields,
        InterfaceTypeDefinition: fields,
        InputObjectTypeDefinition: {
          leave: (node) => ({ ...node, description: undefined, fields: sorted(node.fields) }),
        },
        EnumTypeDefinition: { leave: (node) => ({ ...node, description: undefined, values: sorted(node.values) }) },
        UnionTypeDefinition: { leave: (node) => ({ ...node, description: undefined, types: sorted(node.types) }) },
        SchemaDefinition: { leave: (node) => ({ ...node, operationTypes: sorted(node.operationTypes) }) },
      }),
    ),
  )
  return texts.sort().join('\n')
}
