import { Client, credentials, type ServiceError } from '@grpc/grpc-js'
import type { AnyMessage, Decoded, Encodable } from '../../protobuf/index.ts'
import { Failure } from '../failure.ts'
import { empty } from '../protocol/early-messages.ts'
import { registerResource, registerResourceOutputs } from '../protocol/monitor-messages.ts'

const SERVICE = '/pulumirpc.ResourceMonitor'

/** Where a component registers what it is made of. Each call rejects with a Failure. */
export interface ResourceMonitor {
  register(request: Encodable<typeof registerResource.request>): Promise<Decoded<typeof registerResource.response>>
  finish(request: Encodable<typeof registerResourceOutputs.request>): Promise<void>
  close(): void
}

/** The monitor of the run that a component is constructed in. */
export function connectMonitor(address: string): ResourceMonitor {
  const client = new Client(address, credentials.createInsecure())
  const call = <In, Out>(
    method: string,
    requests: Pick<AnyMessage, 'encode'>,
    decode: (bytes: Buffer) => Out,
    request: In,
  ): Promise<Out> =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        `${SERVICE}/${method}`,
        (one: In) => requests.encode(one),
        decode,
        request,
        (error: ServiceError | null, response?: Out) => {
          if (error || response === undefined)
            reject(new Failure(error?.details ?? 'the resource monitor sent nothing'))
          else resolve(response)
        },
      )
    })
  return {
    register: (request) =>
      call('RegisterResource', registerResource.request, (bytes) => registerResource.response.decode(bytes), request),
    async finish(request) {
      await call('RegisterResourceOutputs', registerResourceOutputs.request, (bytes) => empty.decode(bytes), request)
    },
    close: () => client.close(),
  }
}
