import type { ServerConfig } from '../config/index.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions, type TlsAllowedHost } from '../http-client/index.ts'
import type { Observer } from '../observe/index.ts'
import type { Traces } from '../tracing/index.ts'
import { recordedClient } from './recorded-client.ts'

export interface HttpClients {
  /** For URLs that metadata names: handlers, webhooks, remote schemas. */
  readonly ofMetadata: HttpClient
  /** For the URLs of authentication: they are set by the operator, so private addresses are allowed. */
  readonly ofConfiguration: HttpClient
  /** For OIDC issuers: what metadata says of certificates does not count. */
  readonly ofIssuers: HttpClient
  close(): void
}

/** Creates the clients of the engine's own requests. `tlsAllowlist` is read for each connection. */
export function createHttpClients(
  config: ServerConfig,
  observer: Observer,
  traces: Traces,
  tlsAllowlist: () => readonly TlsAllowedHost[],
): HttpClients {
  if (config.sandbox !== null) {
    const client = recordedClient(config.sandbox)
    return { ofMetadata: client, ofConfiguration: client, ofIssuers: client, close: () => {} }
  }
  const options: HttpClientOptions = {
    allowPrivateAddresses: config.allowPrivateAddresses,
    maxResponseBytes: config.maxWebhookResponseSize,
    tlsAllowlist,
    report: observer.report,
    trace: (requestId, cause) => traces.outgoing(requestId, cause),
  }
  const ofMetadata = createHttpClient(options)
  const ofConfiguration = createHttpClient({ ...options, allowPrivateAddresses: true })
  const ofIssuers = createHttpClient({ ...options, tlsAllowlist: () => [] })
  return {
    ofMetadata,
    ofConfiguration,
    ofIssuers,
    close: () => {
      ofIssuers.close()
      ofConfiguration.close()
      ofMetadata.close()
    },
  }
}
