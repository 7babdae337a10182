import {
  type ArgumentNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'
import { ApiError, Path } from '../../errors.ts'
import { rootKey } from '../../model/index.ts'
import { selectOperation } from '../document/select-operation.ts'
import { usedVariables } from '../document/used-variables.ts'
import { checkInput, type InputCheck } from '../plan/check-input.ts'
import type { GraphqlSettings } from '../settings.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { subscriptionRoot } from '../types/subscription-root.ts'
import {
  type Field,
  type InputField,
  type NamedRef,
  type NamedType,
  namedOf,
  type ObjectType,
  type TypeSource,
} from '../types/type.ts'

/** What is wrong with a document for all values of its variables, and what that depends on. */
export interface QueryCheck {
  /** `$.artist: field 'artist' not found in object 'query_root'` */
  readonly errors: readonly string[]
  /** What is wrong with its arguments, which does not make it inconsistent. */
  readonly warnings: readonly string[]
  /** Ids of the tables whose types were read. */
  readonly tables: ReadonlySet<string>
  /** Root fields that were searched for, by `rootKey`. */
  readonly roots: ReadonlySet<string>
  /** Types of its variables by name, as the places that use them say. */
  readonly inputTypes: ReadonlyMap<string, NamedRef>
}

interface QueryWalk extends InputCheck {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Fragments that were checked, each with the type it was checked for: they may double from one to the next. */
  readonly done: Set<string>
  readonly roots: Set<string>
}

/**
 * Checks a stored document against a role's schema without values of its variables
 * (reference/stored-queries#collections-and-the-allow-list): fields, selection sets and the types of variables where they
 * are used; arguments and their values as warnings.
 */
export function checkQuery(document: DocumentNode, schema: RoleSchema, settings: GraphqlSettings): QueryCheck {
  const errors: string[] = []
  const warnings: string[] = []
  const tables = new Set<string>()
  const roots = new Set<string>()
  const inputTypes = new Map<string, NamedRef>()
  const types: TypeSource = {
    tableTypes(id) {
      tables.add(id)
      return schema.tableTypes(id)
    },
    writeTypes(id) {
      tables.add(id)
      return schema.writeTypes(id)
    },
    remoteType: schema.remoteType,
  }
  const report = (path: Path, message: string) => void errors.push(`${path}: ${message}`)
  const warn = (path: Path, message: string) => void warnings.push(`${path}: ${message}`)
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION)
      try {
        checkOperation(definition, document, { schema, settings, types, roots, inputTypes, report, warn })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        report(error.path, error.message)
      }
  return { errors, warnings, tables, roots, inputTypes }
}

interface CheckContext extends Pick<QueryWalk, 'types' | 'roots' | 'inputTypes' | 'report' | 'warn'> {
  readonly schema: RoleSchema
  readonly settings: GraphqlSettings
}

function checkOperation(operation: OperationDefinitionNode, document: DocumentNode, around: CheckContext): void {
  const { schema, settings, types, roots, inputTypes, report, warn } = around
  const others = document.definitions.filter((one) => one.kind !== Kind.OPERATION_DEFINITION || one === operation)
  const chosen = selectOperation({ ...document, definitions: others }, null)
  const used = usedVariables(chosen, settings.maxDepth)
  const variables = new Map(
    operation.variableDefinitions?.map((definition) => [definition.variable.name.value, definition]),
  )
  for (const name of used) if (!variables.has(name)) report(Path.root, `unbound variable "${name}"`)
  const root = rootTypes(schema)[operation.operation]
  if (root === null) {
    report(Path.root, missingRoot[operation.operation])
    return
  }
  const { fragments } = chosen
  const walk: QueryWalk = { types, variables, fragments, done: new Set(), roots, inputTypes, report, warn }
  checkSelections(operation.selectionSet, root, Path.root, { namespace: null }, walk)
}

/** Returns the root of each kind of operation; null where the role has none. */
export const rootTypes = (schema: RoleSchema): Readonly<Record<OperationTypeNode, ObjectType<unknown> | null>> => ({
  [OperationTypeNode.QUERY]: schema.queryRoot,
  [OperationTypeNode.MUTATION]: schema.hasMutations() ? schema.mutationRoot : null,
  [OperationTypeNode.SUBSCRIPTION]: subscriptionRoot(schema),
})

const missingRoot: Readonly<Record<OperationTypeNode, string>> = {
  [OperationTypeNode.QUERY]: 'no queries exist',
  [OperationTypeNode.MUTATION]: 'no mutations exist',
  [OperationTypeNode.SUBSCRIPTION]: 'no subscriptions exist',
}

/** The root that a selection set is of, in a namespace or not; null: it is of something below. */
type Root = { readonly namespace: string | null } | null

function checkSelections(node: SelectionSetNode, type: NamedType, path: Path, root: Root, walk: QueryWalk): void {
  for (const selection of node.selections) {
    switch (selection.kind) {
      case Kind.FRAGMENT_SPREAD: {
        const name = selection.name.value
        const fragment = walk.fragments.get(name)
        const key = `${name} ${type.name}`
        if (!fragment || walk.done.has(key)) break
        walk.done.add(key)
        checkSelections(fragment.selectionSet, type, path, root, walk)
        break
      }
      case Kind.INLINE_FRAGMENT:
        checkSelections(selection.selectionSet, type, path, root, walk)
        break
      case Kind.FIELD: {
        const name = selection.name.value
        if (name === '__typename') break
        const at = path.at(name)
        if (root) walk.roots.add(rootKey(root, name))
        const field = fieldOf(type, name)
        if (field) checkField(field, selection, at, walk)
        else walk.report(at, `field '${name}' not found in object '${type.name}'`)
        break
      }
    }
  }
}

function fieldOf(type: NamedType, name: string): Field<unknown> | undefined {
  return type.kind === 'OBJECT' || type.kind === 'INTERFACE' ? type.fields.get(name) : undefined
}

function checkField(
  field: Field<unknown>,
  node: { readonly arguments?: readonly ArgumentNode[]; readonly selectionSet?: SelectionSetNode | undefined },
  path: Path,
  walk: QueryWalk,
): void {
  checkArguments(field, node.arguments ?? [], path, walk)
  const type = namedOf(field.type).find(walk.types)
  const isLeaf = type.kind === 'SCALAR' || type.kind === 'ENUM'
  if (isLeaf && node.selectionSet) walk.report(path, `unexpected subselection set for non-object field`)
  else if (!isLeaf && !node.selectionSet) walk.report(path, `missing selection set for '${type.name}'`)
  // a union's members are distinguished by fragments, which every run checks
  else if (node.selectionSet && type.kind !== 'UNION')
    checkSelections(node.selectionSet, type, path, isNamespace(field) ? { namespace: field.name } : null, walk)
}

/** Root fields stand inside the field of a namespace as well (reference/graphql-schema#customization-of-a-source). */
const isNamespace = ({ meaning }: Field<unknown>): boolean =>
  typeof meaning === 'object' && meaning !== null && 'kind' in meaning && meaning.kind === 'namespace'

function checkArguments(field: Field<unknown>, given: readonly ArgumentNode[], path: Path, walk: QueryWalk): void {
  const names = new Set<string>()
  for (const { name, value } of given) {
    names.add(name.value)
    const declared = field.args.get(name.value)
    if (declared) checkInput(declared.type, value, hasDefault(declared), path.at('args', name.value), walk)
    else walk.warn(path, `'${field.name}' has no argument named '${name.value}'`)
  }
  for (const { name, type, defaultValue } of field.args.values())
    if (type.kind === 'non-null' && defaultValue === null && !names.has(name))
      walk.warn(path.at('args', name), `missing required field '${name}'`)
}

const hasDefault = ({ defaultValue }: InputField<unknown>): boolean => defaultValue !== null
