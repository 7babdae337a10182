import { ClientError, createMetadataClient, MetadataSnapshot, type QueueTimes, WriteQueue } from '../client/index.ts'
import { lazily } from '../lazily.ts'
import type { InconsistentObject } from './apply-plan.ts'
import { creationLog } from './creation-log.ts'
import { findDraft } from './find-draft.ts'
import { Preview } from './preview.ts'
import type { Diagnostic, Tool } from './provider.ts'
import { readInconsistent } from './read-inconsistent.ts'
import { readOwners } from './read-owners.ts'
import { RunMemory } from './run-memory.ts'
import type { Settings } from './settings.ts'
import type { SourceKinds } from './source-kinds.ts'

/** One run of a tool with one engine. */
export type EngineSession = ReturnType<typeof openSession>

/** A refresh is not worth less because nothing can be said next to it. */
function nothingKnown(error: unknown): readonly InconsistentObject[] {
  if (error instanceof ClientError) return []
  throw error
}

/** How long what was sent may go on after a run was stopped. */
const lastMilliseconds = 10_000

/** Opens a session with an engine; nothing is sent yet. Throws ClientError for a wrong endpoint or certificate file. */
export function openSession(settings: Settings, tool: Tool, sourceKinds: SourceKinds, times: Partial<QueueTimes> = {}) {
  const { adoptExisting } = settings
  const connection = { ...settings.connection, ...(tool.observe && { observe: tool.observe }) }
  const reading = new AbortController()
  const writing = new AbortController()
  const reader = createMetadataClient({ ...connection, signal: reading.signal })
  const writer = createMetadataClient({ ...connection, signal: writing.signal })
  const rules = { adoptExisting, spelling: tool.json, renamed: tool.renamed, typeName: tool.typeName }
  const snapshot = new MetadataSnapshot(reader, settings.catalogId)
  const inconsistent = lazily(() => readInconsistent(reader).catch(nothingKnown))
  const writes = new WriteQueue<Diagnostic>(writer, snapshot, times, settings.draft)
  return {
    tool,
    settings,
    rules,
    spelling: tool.json,
    /** For what changes nothing: ends at once when the run is stopped. */
    reader,
    /** For what changes something next to the metadata: what was sent may still be answered. */
    writer,
    snapshot,
    writes,
    memory: new RunMemory(),
    sourceKinds,
    /** Whether resources other than the one that wrote an object then have made it again. Throws ClientError. */
    isRemade: creationLog(reader, tool.name),
    /** `headerPrefix` of the client, read once a run. */
    headerPrefix: lazily(() => reader.headerPrefix()),
    /** What the engine calls inconsistent, read once a run: a refresh of many resources reads it once. */
    inconsistent,
    /** Which stacks own objects, by the texts of their addresses: read once a run. */
    owners: lazily(() => readOwners(reader)),
    /** Whether the engine has the draft that the run must match, read once. Throws ClientError. */
    findDraft: lazily(() => findDraft(reader, settings.draft)),
    preview: new Preview(reader, snapshot, rules, inconsistent, {
      checks: settings.previewChecks,
      ...(settings.planId !== undefined && { planId: settings.planId }),
      ...(tool.parallelism && { parallelism: tool.parallelism }),
    }),
    stop() {
      writes.stop()
      reading.abort()
      setTimeout(() => writing.abort(), lastMilliseconds).unref()
    },
  }
}
