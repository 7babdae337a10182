import type { ObjectAddress } from '@svc/schema'
import {
  ClientError,
  createMetadataClient,
  type MetadataClient,
  MetadataSnapshot,
  type QueueTimes,
  WriteQueue,
} from '../client/index.ts'
import { lazily } from '../lazily.ts'
import type { JsonSpelling } from '../resources/index.ts'
import type { InconsistentObject } from './apply-plan.ts'
import { creationLog } from './creation-log.ts'
import { findDraft } from './find-draft.ts'
import { Preview } from './preview.ts'
import type { Diagnostic, Made, Tool } from './provider.ts'
import { readInconsistent } from './read-inconsistent.ts'
import { readOwners } from './read-owners.ts'
import { RunMemory } from './run-memory.ts'
import type { Settings } from './settings.ts'
import type { SourceKinds } from './source-kinds.ts'
import type { WriteRules } from './write-refusals.ts'

/** One run of a tool with one engine. */
export interface EngineSession {
  readonly tool: Tool
  readonly settings: Settings
  readonly rules: WriteRules
  readonly spelling: JsonSpelling
  /** For what changes nothing: ends at once when the run is stopped. */
  readonly reader: MetadataClient
  /** For what changes something next to the metadata: what was sent may still be answered. */
  readonly writer: MetadataClient
  readonly snapshot: MetadataSnapshot
  readonly writes: WriteQueue<Diagnostic>
  readonly memory: RunMemory
  readonly sourceKinds: SourceKinds
  /** Whether resources other than the one that wrote an object then have made it again. Throws ClientError. */
  isRemade(address: ObjectAddress, made: Made): Promise<boolean>
  readonly preview: Preview
  /** `headerPrefix` of the client, read once a run. */
  headerPrefix(): Promise<string>
  /** Which stacks own objects, by the texts of their addresses: read once a run. */
  owners(): Promise<ReadonlyMap<string, string>>
  /** What the engine calls inconsistent, read once a run: a refresh of many resources reads it once. */
  inconsistent(): Promise<readonly InconsistentObject[]>
  /** Whether the engine has the draft that the run must match, read once. Throws ClientError. */
  findDraft(): Promise<void>
  stop(): void
}

/** A refresh is not worth less because nothing can be said next to it. */
function nothingKnown(error: unknown): readonly InconsistentObject[] {
  if (error instanceof ClientError) return []
  throw error
}

/** How long what was sent may go on after a run was stopped. */
const lastMilliseconds = 10_000

/** Opens a session with an engine; nothing is sent yet. Throws ClientError for a wrong endpoint or certificate file. */
export function openSession(
  settings: Settings,
  tool: Tool,
  sourceKinds: SourceKinds,
  times: Partial<QueueTimes> = {},
): EngineSession {
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
    reader,
    writer,
    snapshot,
    writes,
    headerPrefix: lazily(() => reader.headerPrefix()),
    memory: new RunMemory(),
    sourceKinds,
    isRemade: creationLog(reader, tool.name),
    inconsistent,
    owners: lazily(() => readOwners(reader)),
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
