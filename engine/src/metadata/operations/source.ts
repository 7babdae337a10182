/** The sources of metadata (reference/metadata-operations#sources). */
import {
  addSourceArgs,
  type CustomTypes,
  customTypesAddress,
  dropSourceArgs,
  findObject,
  type JsonObject,
  kindOfSource,
  nameStyle,
  putObject,
  removeObject,
  renameSourceArgs,
  type SourceCustomization,
  setQueryTagsArgs,
  setValue,
  sourceAddress,
  updateSourceArgs,
} from '@svc/schema'
import type { Unsupported } from '../../backends/index.ts'
import type { Path } from '../../errors.ts'
import { withNew, withValue } from '../change-object.ts'
import { dropWithDependents } from '../drop-dependents.ts'
import { requireReady, requireSource, withoutAbsent } from '../find-table.ts'
import { defineOperation, defineSourceOperation, type Operation, type SourceOperation } from '../operation.ts'

const named = ({ name }: { readonly name: string }, path: Path) => [{ name, at: path.at('name') }]

function refuseNamingConvention(
  customization: SourceCustomization | null | undefined,
  { namingConvention }: Unsupported = {},
  path: Path,
): void {
  if (namingConvention !== undefined && customization?.naming_convention === 'graphql-default')
    throw path.error('not-supported', namingConvention, 'customization', 'naming_convention')
}

/**
 * add_source. Throws already-exists unless the configuration of the existing one is to be replaced; its tables remain.
 */
const addSource = defineSourceOperation({
  name: 'add_source',
  args: ({ configuration }) => addSourceArgs(configuration),
  sources: named,
  check: 'object',
  apply(document, args, path, _, { kind, unsupported }) {
    const at = sourceAddress(args.name)
    const old = findObject(document, at)
    const { name, configuration, customization, health_check } = args
    refuseNamingConvention(customization, unsupported, path)
    if (!old) {
      const value = withoutAbsent({ name, kind, configuration, customization, health_check })
      return withNew(document, at, value)
    }
    if (!args.replace_configuration)
      throw path.error('already-exists', `source with name "${name}" already exists`, 'name')
    return withValue(document, at, withoutAbsent({ ...old.value, configuration, customization }))
  },
})

/** update_source: each part in the arguments is replaced. Throws not-exists. */
const updateSource = defineSourceOperation({
  name: 'update_source',
  args: ({ configuration }) => updateSourceArgs(configuration),
  sources: named,
  check: 'object',
  apply(document, args, path, _, { unsupported }) {
    const at = sourceAddress(args.name)
    const { value } = requireSource(document, args.name, path, path.at('name'))
    const { customization, health_check } = args
    refuseNamingConvention(customization, unsupported, path)
    const changed = withoutAbsent({
      ...value,
      configuration: args.configuration ?? value.configuration,
      customization: customization === undefined ? value.customization : (customization ?? undefined),
      health_check: health_check === undefined ? value.health_check : (health_check ?? undefined),
    })
    return withValue(document, at, changed)
  },
})

/**
 * drop_source. Throws not-exists; dependency-error for objects that other sources depend on; unexpected: cascade
 * without a connection.
 */
export const dropSource = defineSourceOperation({
  name: 'drop_source',
  args: () => dropSourceArgs,
  sources: named,
  check: 'object',
  drops: ({ name }) => [sourceAddress(name)],
  apply(document, args, path, context) {
    const at = sourceAddress(args.name)
    requireSource(document, args.name, path, path.at('name'))
    if (args.cascade) requireReady(args.name, path, context)
    return dropWithDependents(document, { object: at, cascade: args.cascade, path, at: path.at('name') }, context)
  },
})

/**
 * rename_source: the source with all that is in it, under another name, which relationships of actions' types follow. What other
 * sources have on it still names the old one, and refuses the change (reference/metadata-operations#sources). not-exists,
 * already-exists.
 */
const renameSource = defineOperation({
  type: 'rename_source',
  args: renameSourceArgs,
  check: 'object',
  apply(document, { name, new_name }, path) {
    const [at, to] = [sourceAddress(name), sourceAddress(new_name)]
    const source = findObject(document, at)
    if (!source) throw path.error('not-exists', `Could not find source with name "${name}"`, 'name')
    if (name === new_name) return { document, touched: [at] }
    if (findObject(document, to))
      throw path.error('already-exists', `source with name "${new_name}" already exists`, 'new_name')
    const renamed = { ...source, value: { ...source.value, name: new_name } }
    const moved = putObject(removeObject(document, at), to, renamed)
    const types = findObject(document, customTypesAddress)?.value
    const followed = types && withSourceRenamed(types, name, new_name)
    if (!followed || followed === types) return { document: moved, touched: [to] }
    return { document: setValue(moved, customTypesAddress, followed), touched: [to, customTypesAddress] }
  },
})

/** Types of actions whose relationships lead to the source under its new name; the same value where none does. */
function withSourceRenamed(types: JsonObject, old: string, now: string): JsonObject {
  const { objects } = types as CustomTypes
  const leads = ({ source = 'default' }: { readonly source?: string | undefined }) => source === old
  if (!objects?.some(({ relationships }) => relationships?.some(leads))) return types
  const renamed = objects.map((object) =>
    object.relationships?.some(leads)
      ? { ...object, relationships: object.relationships.map((one) => (leads(one) ? { ...one, source: now } : one)) }
      : object,
  )
  return { ...types, objects: renamed }
}

/** set_query_tags: what is appended to the source's SQL; the default is not stored. Throws not-exists. */
const setQueryTags = defineOperation({
  type: 'set_query_tags',
  args: setQueryTagsArgs,
  check: 'no-new',
  apply(document, { source_name, ...tags }, path) {
    const at = sourceAddress(source_name)
    const source = requireSource(document, source_name, path, path.at('source_name'))
    if (nameStyle(kindOfSource(source.value)) !== 'public')
      throw path.error('not-supported', 'query tags are for PostgreSQL sources only', 'source_name')
    const value = { ...source.value, query_tags: tags }
    return withValue(document, at, value)
  },
})

export const sourceOperations: readonly SourceOperation[] = [addSource, updateSource, dropSource]

/** On sources of every kind. */
export const anySourceOperations: readonly Operation[] = [renameSource, setQueryTags]
