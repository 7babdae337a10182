import type { MetadataService } from '../admin/index.ts'
import type { ServerConfig } from '../config/index.ts'
import type { ActionServices, GraphqlCaches, RemoteServices, TallyOf } from '../execute/index.ts'
import type { MetadataStore } from '../metadata/index.ts'
import type { Observer } from '../observe/index.ts'
import type { Peers } from '../workers/index.ts'

/** What answers of every kind are made with, started once. */
export interface ServerParts {
  readonly config: ServerConfig
  /** What `from_env` of metadata reads. */
  readonly environment: ServerConfig['environment']
  readonly store: MetadataStore
  readonly metadata: MetadataService
  readonly caches: GraphqlCaches
  /** Undefined: executions are not counted. */
  readonly tallyOf: TallyOf | undefined
  readonly actions: ActionServices
  readonly remotes: RemoteServices
  readonly observer: Observer
  /** The other workers; null where this process is the only one. */
  readonly peers: Peers | null
}
