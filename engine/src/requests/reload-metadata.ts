import { childrenOf, type Json, type JsonObject, type ReloadMetadataArgs } from '@svc/schema'
import { type Draft, reload, reloadRemotes, withCurrentModelInStretches } from '../changes/index.ts'
import { ApiError, type Path } from '../errors.ts'
import type { RemoteReader } from '../remote-schemas/index.ts'
import type { Sources } from '../sources/index.ts'

export interface Reloaded {
  readonly draft: Draft
  readonly answer: Json
  /** For the other instances. */
  readonly sources: readonly string[] | 'all'
  readonly remoteSchemas: readonly string[]
  /** Sources whose databases are to be made again what metadata says of them (recreate_event_triggers). */
  readonly restored: readonly string[]
}

/**
 * reload_metadata (reference/metadata-operations#reload_metadata): reads the databases again. not-exists for a name
 * that metadata does not know; never fails because of inconsistencies.
 */
export async function reloadMetadata(
  draft: Draft,
  args: ReloadMetadataArgs,
  path: Path,
  sources: Sources,
  remoteSchemas: RemoteReader,
): Promise<Reloaded> {
  const remoteNames = selected(draft, 'remote_schema', args, 'reload_remote_schemas', path)
  const names = selected(draft, 'source', args, 'reload_sources', path)
  const restored = selected(draft, 'source', args, 'recreate_event_triggers', path)
  const [states, remotes] = await Promise.all([
    reload(sources, draft.states, names),
    reloadRemotes(remoteSchemas, draft.remotes, remoteNames),
  ])
  const reloaded = await withCurrentModelInStretches({ ...draft, states, remotes })
  // permissions that a role cannot inherit are listed only by get_inconsistent_metadata: they keep nothing from being
  // served
  const objects = [...reloaded.model.inconsistencies.values()]
  const answer: JsonObject = {
    message: 'success',
    is_consistent: objects.length === 0,
    ...(objects.length > 0 && { inconsistent_objects: objects as never }),
  }
  return {
    draft: reloaded,
    answer,
    sources: args.reload_sources === true ? 'all' : names,
    remoteSchemas: remoteNames,
    restored,
  }
}

function selected(
  draft: Draft,
  type: 'source' | 'remote_schema',
  args: ReloadMetadataArgs,
  key: 'reload_remote_schemas' | 'reload_sources' | 'recreate_event_triggers',
  path: Path,
): readonly string[] {
  const selection = args[key]
  const kind = type === 'source' ? 'Source' : 'Remote schema'
  const names = [...childrenOf(draft.document, type).values()].map(({ value }) => String(value.name))
  if (selection === true) return names
  if (selection === false) return []
  selection.forEach((name, i) => {
    if (!names.includes(name))
      throw new ApiError('not-exists', path, `${kind} with name "${name}" not found in metadata`, {
        at: path.at(key, i),
      })
  })
  return selection
}
