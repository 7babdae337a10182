import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from 'graphql'
import { ApiError, invalid, Path } from '../../errors.ts'
import { invalidDocument } from './check-text.ts'

/** The operation a request chose, and the fragments it may use. */
export interface ChosenOperation {
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
}

/**
 * Chooses by name (reference/queries#validation). Throws validation-failed at `$`; parse-failed for fragments defined
 * twice.
 */
export function selectOperation(document: DocumentNode, operationName: string | null): ChosenOperation {
  const operations: OperationDefinitionNode[] = []
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    switch (definition.kind) {
      case Kind.OPERATION_DEFINITION:
        operations.push(definition)
        break
      case Kind.FRAGMENT_DEFINITION:
        if (fragments.has(definition.name.value))
          throw new ApiError('parse-failed', Path.root, `multiple definitions for fragment "${definition.name.value}"`)
        fragments.set(definition.name.value, definition)
        break
      default:
        // type system definitions: the reference's parser knows only executable documents
        throw invalidDocument('it defines types')
    }
  }
  return { operation: choose(operations, operationName), fragments }
}

function choose(operations: readonly OperationDefinitionNode[], name: string | null): OperationDefinitionNode {
  const [first] = operations
  if (name === null) {
    if (operations.length === 1 && first) return first
    throw fail('exactly one operation has to be present in the document when operationName is not specified')
  }
  if (operations.some((operation) => !operation.name))
    throw fail('operationName cannot be used when an anonymous operation exists in the document')
  const named = operations.find((operation) => operation.name?.value === name)
  if (!named) throw fail(`no such operation found in the document: "${name}"`)
  return named
}

const fail = (message: string) => invalid(Path.root, message)
