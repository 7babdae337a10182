import { Metadata, Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import { Failure } from '../failure.ts'
import type { UnaryMethod } from '../requests/unary-method.ts'

const SERVICE = 'pulumirpc.ResourceProvider'
/** A stack of very many resources sends much, and waits long: as Pulumi's own limits. */
const MOST_BYTES = 400 * 1024 * 1024
const LONGEST_QUEUE_MILLISECONDS = 30 * 60 * 1000

export interface PluginServer {
  readonly port: number
  /** Accepts no more calls, waits for those in progress, then resolves. */
  close(): Promise<void>
}

/** Serves `methods` on a free port that only this machine reaches. Rejects when there is none. */
export async function startPluginServer(methods: Readonly<Record<string, UnaryMethod>>): Promise<PluginServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MOST_BYTES,
    'grpc.max_send_message_length': MOST_BYTES,
    'grpc.server_max_unrequested_time_in_server': LONGEST_QUEUE_MILLISECONDS,
    'grpc.enable_channelz': 0,
  })
  for (const [name, answer] of Object.entries(methods))
    server.addService(
      {
        [name]: {
          path: `/${SERVICE}/${name}`,
          requestStream: false,
          responseStream: false,
          requestSerialize: same,
          requestDeserialize: same,
          responseSerialize: same,
          responseDeserialize: same,
        },
      },
      {
        [name]: (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
          answer(call.request).then(
            (response) => done(null, response),
            (error: unknown) => done(statusOf(error)),
          )
        },
      },
    )
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error)
      else resolve(bound)
    })
  })
  return { port, close: () => new Promise((resolve) => server.tryShutdown(() => resolve())) }
}

/** Bytes: the methods know their messages. */
const same = (bytes: Buffer) => bytes

/** Details are bytes, which gRPC names so. */
function statusOf(error: unknown): { code: status; details: string; metadata?: Metadata } {
  const details = error instanceof Error ? error.message : String(error)
  if (!(error instanceof Failure) || error.status === null) return { code: status.UNKNOWN, details }
  const metadata = new Metadata()
  metadata.set('grpc-status-details-bin', error.status)
  return { code: status.UNKNOWN, details, metadata }
}
