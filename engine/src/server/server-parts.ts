import type { MetadataService } from '../admin/index.ts'
import type { ServerConfig } from '../config/index.ts'
import type { ActionServices, GraphqlCaches, RemoteServices, TallyOf } from '../execute/index.ts'
import type { HttpClient } from '../http-client/index.ts'
import type { MetadataStore } from '../metadata/index.ts'
import type { Observer } from '../observe/index.ts'
import type { Peers } from '../workers/index.ts'

/** What everything is started with. */
export interface StartParts {
  readonly config: ServerConfig
  /** What `from_env` of metadata reads. */
  readonly environment: ServerConfig['environment']
  readonly store: MetadataStore
  /** Of requests that metadata names. */
  readonly client: HttpClient
  readonly observer: Observer
  /** How many processes serve: they share what is limited. */
  readonly processes: number
}

/** What sends events and calls of actions, while `sends` says so. */
export interface SendingParts extends StartParts {
  readonly metadata: MetadataService
  readonly sends: () => boolean
}

/** What answers of every kind are made with, started once. */
export interface ServerParts extends Pick<StartParts, 'config' | 'environment' | 'store' | 'observer'> {
  readonly metadata: MetadataService
  readonly caches: GraphqlCaches
  /** Undefined: executions are not counted. */
  readonly tallyOf: TallyOf | undefined
  readonly actions: ActionServices
  readonly remotes: RemoteServices
  /** The other workers; null where this process is the only one. */
  readonly peers: Peers | null
}
