import { keyedObject, type MetadataDocument, objectName } from '@svc/schema'
import type { MetadataClient } from '../client/index.ts'
import {
  type ApplyOptions,
  foreignVariable,
  foreignVariableMessage,
  isKnownVariable,
  type LiveMetadata,
  type Plan,
  planChanges,
  StateError,
  walkObjects,
} from '../core/index.ts'
import type { CommandContext } from './command-context.ts'
import { readProjectAndLive } from './read-project.ts'

export interface PlanFlags {
  readonly allowInconsistentMetadata?: boolean
  readonly allowUnknownKeys?: boolean
}

interface MadePlan {
  readonly plan: Plan
  readonly live: LiveMetadata
  readonly client: MetadataClient
  /** The options of an apply or a dry run. */
  readonly options: ApplyOptions
}

/**
 * What makes the engine's metadata that of the project. `isPrinted`: the plan's document has to be whole. Warns on stderr of
 * what the engine has and a replacement would lose. Throws DirectoryError, ClientError, StateError.
 */
export async function makePlan(context: CommandContext, flags: PlanFlags, isPrinted: boolean): Promise<MadePlan> {
  const { wanted, live, whole } = await readProjectAndLive(context, flags.allowUnknownKeys ? 'noted' : 'refused')
  const client = context.client()
  await refuseForeignVariables(wanted, client)
  const differing = planChanges(live.document, wanted)
  // a replacement and what is printed have all of it
  const isWhole = isPrinted || flags.allowInconsistentMetadata || !canBeSteps(differing)
  const plan = isWhole ? { ...differing, wanted: await whole() } : differing
  if (live.ignored.length > 0)
    context.note(
      `warning: the engine has ${live.ignored.join(', ')}, which this svc does not know and a replacement would lose`,
    )
  const allowInconsistent = flags.allowInconsistentMetadata === true
  return { plan, live, client, options: { resourceVersion: live.resourceVersion, allowInconsistent } }
}

const canBeSteps = ({ changes }: Plan): boolean => changes.every(({ operations }) => operations !== null)

/** Throws StateError for what the engine would accept as it is written, and read as something else. */
async function refuseForeignVariables(wanted: MetadataDocument, client: MetadataClient): Promise<void> {
  for (const { object, at } of walkObjects(wanted)) {
    const foreign = foreignVariable(at.type, object.value)
    if (!foreign) continue
    if (await isKnownVariable(foreign, client)) return
    const { name } = objectName(keyedObject(wanted, at))
    throw new StateError(`${name}: ${foreign.path.join('.')}: ${foreignVariableMessage(foreign)}`)
  }
}
