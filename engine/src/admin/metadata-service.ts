import type { Json } from '@svc/schema'
import { ServedMetadata, type ServedOptions, type ServedState } from '../changes/index.ts'
import { type DraftModel, DraftModels, draftOperations, readStoredRequest } from '../drafts/index.ts'
import { DryRuns } from '../dry-run/index.ts'
import { ApiError, Path } from '../errors.ts'
import {
  type AdminAnswer,
  type AdminEndpoint,
  type AdminRequest,
  type AuthorizedRequest,
  adminOnly,
  asksForRows,
  type Command,
  changesSomething,
  commandContext,
  detailed,
  evaluate,
  modifies,
  noEffects,
  noteEffects,
  noteRan,
  type Reads,
  type RequestFacts,
  type RequestTable,
  readRequest,
  requestTable,
  requireGranted,
  writeRequest,
} from '../requests/index.ts'
import { type Access, adminRole, ownPrefix, type Session } from '../session.ts'

export interface MetadataServiceOptions extends ServedOptions {
  /** Operations of other modules that change no metadata. */
  readonly reads: Reads
  /** Whether error bodies inside an answer (bulk_keep_going, dry runs) show `internal` to the admin. */
  readonly showInternal: boolean
  /** Why metadata cannot be changed now; null where it can (reference/server#start). */
  readonly frozen: string | null
}

/** Answers /v1/metadata, /v1/query and /v2/query, and has the served state that the rest of the engine reads. */
export class MetadataService {
  readonly #served: ServedMetadata
  readonly #requests: RequestTable
  readonly #dryRuns: DryRuns
  readonly #drafts: DraftModels
  readonly #showInternal: boolean
  readonly #frozen: string | null

  private constructor(
    served: ServedMetadata,
    drafts: DraftModels,
    requests: RequestTable,
    options: MetadataServiceOptions,
  ) {
    this.#served = served
    this.#drafts = drafts
    this.#requests = requests
    this.#dryRuns = new DryRuns(served)
    this.#showInternal = options.showInternal
    this.#frozen = options.frozen
  }

  /** Loads the metadata, connects the sources and builds the model (reference/server#start, step 5). */
  static async start(options: MetadataServiceOptions): Promise<MetadataService> {
    const kinds = options.sources.backends.flatMap((backend) => backend.kinds)
    const served = await ServedMetadata.start(options)
    const drafts = new DraftModels(served)
    const { inSources, others } = options.reads
    const requests = requestTable(kinds, { inSources, others: [...others, ...draftOperations(drafts)] })
    return new MetadataService(served, drafts, requests, options)
  }

  /** What is served now; one reference, replaced as a whole. */
  current(): ServedState {
    return this.#served.current
  }

  /** The draft of a key (docs/drafts.md). Throws not-exists, conflict and not-supported. */
  draft(key: string): Promise<DraftModel> {
    return this.#drafts.find(key)
  }

  /** Resolves once what other instances have stored and announced before the call is served. */
  follow(): Promise<void> {
    return this.#served.follow()
  }

  /** Ends the connections to the sources; the store is its opener's. */
  close(): Promise<void> {
    this.#dryRuns.close()
    this.#drafts.close()
    return this.#served.close()
  }

  /** For every answer of /v1/metadata, errors included (docs/metadata-api.md#versions). */
  headers(): Readonly<Record<string, string>> {
    return {
      'X-Svc-Catalog-Id': this.#served.store.catalogId,
      'X-Svc-Resource-Version': String(this.#served.current.resourceVersion),
    }
  }

  /**
   * Answers a body that is JSON (reference/metadata-requests#endpoints). Throws ApiError: parse-failed, access-denied
   * for a role or an access token that may not, and whatever the operation is refused with. Nothing is changed then.
   */
  async handle(endpoint: AdminEndpoint, body: unknown, session: Session, facts: RequestFacts): Promise<AdminAnswer> {
    const { access } = session
    if (access) {
      requireGranted(access, this.#requests, endpoint, body)
      const answer = await this.#handle(endpoint, body, byAccess(access), facts)
      const { expiresAt } = access
      if (expiresAt === undefined) return answer
      return { ...answer, headers: { ...answer.headers, 'X-Svc-Token-Expires-At': expiresAt } }
    }
    return this.#handle(endpoint, body, session, facts)
  }

  async #handle(endpoint: AdminEndpoint, body: unknown, session: Session, facts: RequestFacts): Promise<AdminAnswer> {
    const isAdmin = session.role === adminRole
    // only /v1/query has rows for other roles; no other client learns what operations there are
    if (!isAdmin && (endpoint !== '/v1/query' || !asksForRows(body))) throw adminOnlyError()
    const request = await this.#read(endpoint, body, isAdmin, facts)
    if (!isAdmin && adminOnly(request.command)) throw adminOnlyError()
    const isChange = request.dryRun === null && modifies(request.command)
    if (this.#frozen !== null && isChange && !isReload(request.command))
      throw new ApiError('unexpected', Path.root, this.#frozen, { status: 500 })
    const answer = await this.#answerOrExplain({ request, session, facts, showInternal: this.#showInternal })
    const changes =
      request.dryRun === null && changesSomething(request.command)
        ? { resourceVersion: this.#served.current.resourceVersion }
        : undefined
    return { status: 200, body: answer, headers: this.headers(), modified: isChange, changes }
  }

  /** A request that does not parse is refused with the details that the admin wants. */
  async #read(endpoint: AdminEndpoint, body: unknown, isAdmin: boolean, facts: RequestFacts): Promise<AdminRequest> {
    try {
      const stored = await readStoredRequest(this.#served, endpoint, body)
      return stored ?? readRequest(this.#requests, endpoint, body)
    } catch (error) {
      if (!(error instanceof ApiError) || !isAdmin) throw error
      throw detailed({ facts, showInternal: this.#showInternal }, error, this.#served.current.document)
    }
  }

  /** Refusals of the admin's requests with the details that these want. */
  async #answerOrExplain(asked: AuthorizedRequest): Promise<Json> {
    try {
      return await this.#answer(asked)
    } catch (error) {
      if (!(error instanceof ApiError) || asked.session.role !== adminRole) throw error
      throw detailed(asked, error, this.#served.current.document)
    }
  }

  async #answer(asked: AuthorizedRequest): Promise<Json> {
    const { command, dryRun } = asked.request
    if (dryRun !== null) return this.#dryRuns.run(asked)
    if (command.kind === 'bulk')
      this.#served.observer.report({
        kind: 'bulk-started',
        requestId: asked.facts.requestId,
        members: command.members.length,
        atomic: command.mode === 'atomic',
      })
    if (modifies(command)) return writeRequest(this.#served, asked)
    if (adminOnly(command)) await this.#served.fresh()
    const effects = noEffects()
    try {
      const { answer } = await evaluate(this.#served.draft(), command, commandContext(this.#served, asked, effects))
      noteEffects(this.#served, asked, effects)
      return answer
    } catch (error) {
      noteRan(asked, effects.done)
      throw error
    }
  }
}

/**
 * The session with which a token that allows this is served, the admin's; what it changes is checked once it is known.
 */
const byAccess = (access: Access): Session => ({
  role: adminRole,
  variables: new Map([[`${ownPrefix}role`, adminRole]]),
  backendOnly: false,
  access,
})

/** Reads the databases again, and leaves metadata as it is. */
const isReload = (command: Command): boolean =>
  command.kind === 'reload' ||
  (command.kind === 'bulk' && command.members.every((member) => !modifies(member) || isReload(member)))

const adminOnlyError = () => new ApiError('access-denied', Path.root.at('args'), 'restricted access : admin only')
