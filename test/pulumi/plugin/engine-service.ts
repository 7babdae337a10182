/** `pulumirpc.Engine` as far as a plugin needs it: keeps what it is sent. */
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import engineGrpc from '@pulumi/pulumi/proto/engine_grpc_pb.js'
import type { LogRequest } from '@pulumi/pulumi/proto/engine_pb.js'
import emptyMessages from 'google-protobuf/google/protobuf/empty_pb.js'

interface Reported {
  readonly severity: 'debug' | 'info' | 'warning' | 'error'
  readonly message: string
  readonly urn: string
  /** How many milliseconds later it would have been too late. */
  readonly timeout: number
}

export interface EngineService {
  readonly address: string
  readonly reported: readonly Reported[]
}

type WithAfter = { after(cleanUp: () => void): void }

export async function startEngineService(t: WithAfter): Promise<EngineService> {
  const reported: Reported[] = []
  const server = new Server()
  const { log } = engineGrpc.EngineService
  server.addService(
    { log },
    {
      log(call: ServerUnaryCall<LogRequest, unknown>, done: sendUnaryData<unknown>) {
        const severity = (['debug', 'info', 'warning', 'error'] as const)[call.request.getSeverity()]
        const timeout = Number(call.getDeadline()) - Date.now()
        reported.push({ severity, message: call.request.getMessage(), urn: call.request.getUrn(), timeout })
        done(null, new emptyMessages.Empty())
      },
    },
  )
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error)
      else resolve(bound)
    })
  })
  t.after(() => server.forceShutdown())
  return { address: `127.0.0.1:${port}`, reported }
}
