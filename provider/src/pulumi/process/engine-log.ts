import { Client, credentials } from '@grpc/grpc-js'
import { empty } from '../protocol/early-messages.ts'
import { logRequest, type Severity } from '../protocol/engine-messages.ts'

const PATH = '/pulumirpc.Engine/Log'
/** On a busy machine an engine may read what it is sent seconds later; after this it would never be shown. */
const DEADLINE_MILLISECONDS = 60_000

export interface EngineLog {
  /** Where the engine is; before that nothing is sent. */
  connect(address: string): void
  /** Resolves when the engine has it, so that it is shown before what comes after. Never rejects. */
  report(severity: Severity, message: string, urn?: string): Promise<void>
}

/** What the provider reports to the user in addition to its answers: Pulumi does not show what a plugin prints. */
export function createEngineLog(): EngineLog {
  let client: { readonly address: string; readonly connection: Client } | null = null
  return {
    connect(address) {
      if (address === '' || client?.address === address) return
      client?.connection.close()
      client = { address, connection: new Client(address, credentials.createInsecure()) }
    },
    report: (severity, message, urn = '') =>
      new Promise((resolve) => {
        if (!client) {
          resolve()
          return
        }
        client.connection.makeUnaryRequest(
          PATH,
          (request: Parameters<typeof logRequest.encode>[0]) => logRequest.encode(request),
          (bytes) => empty.decode(bytes),
          { severity, message, urn },
          { deadline: Date.now() + DEADLINE_MILLISECONDS },
          () => resolve(),
        )
      }),
  }
}
