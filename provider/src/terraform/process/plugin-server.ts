import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type { Message } from '../../protobuf/index.ts'
import {
  connectionInfo,
  empty,
  healthCheckRequest,
  healthCheckResponse,
  stdioData,
} from '../protocol/plugin-messages.ts'
import type { Certificate } from './certificate.ts'
import type { ListeningPlace, Terms } from './handshake.ts'
import type { UnaryMethod } from './service.ts'

/** The longest path of a socket, less a little (108 bytes on Linux, 104 on macOS). */
const SOCKET_PATH_BYTES = 100
/** A provider's schema, plans of large objects: nothing that Terraform sends is too much. */
const UNLIMITED = -1

export interface PluginServer {
  readonly place: ListeningPlace
  /** Ends the connections and removes the socket. */
  close(): void
}

/**
 * Serves go-plugin's services, and `methods` as `tfplugin6.Provider`. With a certificate only the holder of the
 * client's is let in. `shutdown` is called once Terraform has been answered that it will be.
 */
export async function startPluginServer(
  methods: Readonly<Record<string, UnaryMethod>>,
  terms: Terms,
  certificate: Certificate | null,
  shutdown: () => void,
): Promise<PluginServer> {
  const server = new Server({
    'grpc.max_receive_message_length': UNLIMITED,
    'grpc.max_send_message_length': UNLIMITED,
    'grpc.max_concurrent_streams': 2 ** 31 - 1,
    'grpc.enable_channelz': 0,
  })
  addProvider(server, methods)
  addController(server, shutdown)
  addOpenStreams(server)
  addHealth(server)
  const directory = makeSocketDirectory(terms)
  const address = directory ? `unix:${join(directory, 'provider.sock')}` : '127.0.0.1:0'
  const port = await bind(server, address, credentials(terms, certificate))
  return {
    place: directory
      ? { network: 'unix', address: join(directory, 'provider.sock') }
      : { network: 'tcp', address: `127.0.0.1:${port}` },
    close() {
      server.forceShutdown()
      if (directory) rmSync(directory, { recursive: true, force: true })
    },
  }
}

function credentials({ clientCertificate }: Terms, certificate: Certificate | null): ServerCredentials {
  if (!certificate || clientCertificate === null) return ServerCredentials.createInsecure()
  const pair = {
    private_key: Buffer.from(certificate.keyPem),
    cert_chain: Buffer.from(certificate.certificatePem),
  }
  return ServerCredentials.createSsl(Buffer.from(clientCertificate), [pair], true)
}

/** Null where there are no such sockets, or no path short enough: then a port has to do. */
function makeSocketDirectory({ socketDirectory }: Terms): string | null {
  if (process.platform === 'win32') return null
  const parents = [socketDirectory ?? tmpdir(), '/tmp'].filter(
    (parent) => Buffer.byteLength(join(parent, 'svc-provider-XXXXXX', 'provider.sock')) <= SOCKET_PATH_BYTES,
  )
  for (const parent of parents)
    try {
      return mkdtempSync(join(parent, 'svc-provider-'))
    } catch {
      // not writable: the next one
    }
  return null
}

const bind = (server: Server, address: string, given: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(address, given, (error, port) => {
      if (error) reject(error)
      else resolve(port)
    })
  })

type Handler = UntypedServiceImplementation[string]

function addMethod(server: Server, definition: MethodDefinition<unknown, unknown>, handler: Handler): void {
  server.addService({ [definition.path]: definition }, { [definition.path]: handler })
}

function addProvider(server: Server, methods: Readonly<Record<string, UnaryMethod>>): void {
  for (const [name, { decode, encode, answer }] of Object.entries(methods)) {
    const definition = definitionOf(`/tfplugin6.Provider/${name}`, decode, encode)
    addMethod(server, definition, (call: ServerUnaryCall<unknown, unknown>, done: sendUnaryData<unknown>) => {
      answer(call.request).then(
        (response) => done(null, response),
        (error: unknown) => done({ code: status.INTERNAL, details: String(error) }),
      )
    })
  }
}

function definitionOf(
  path: string,
  decode: (bytes: Buffer) => unknown,
  encode: (value: unknown) => Buffer,
  streams = { requestStream: false, responseStream: false },
): MethodDefinition<unknown, unknown> {
  return {
    path,
    ...streams,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: decode,
    responseSerialize: encode,
    responseDeserialize: (bytes) => bytes,
  }
}

function messageMethod<Request, Response>(
  path: string,
  request: Message<Request, unknown>,
  response: Message<unknown, Response>,
  streams?: { requestStream: boolean; responseStream: boolean },
): MethodDefinition<unknown, unknown> {
  return definitionOf(
    path,
    (bytes) => request.decode(bytes),
    (value) => response.encode(value as Response),
    streams,
  )
}

function addController(server: Server, shutdown: () => void): void {
  const definition = messageMethod('/plugin.GRPCController/Shutdown', empty, empty)
  addMethod(server, definition, (call: ServerUnaryCall<unknown, unknown>, done: sendUnaryData<unknown>) => {
    done(null, {})
    // the answer is on its way once the call is closed
    call.once('close', shutdown)
    setTimeout(shutdown, 100).unref()
  })
}

/** Terraform keeps these streams open, and nothing is ever sent over them. */
function addOpenStreams(server: Server): void {
  const stdio = messageMethod('/plugin.GRPCStdio/StreamStdio', empty, stdioData, {
    requestStream: false,
    responseStream: true,
  })
  addMethod(server, stdio, (call: ServerWritableStream<unknown, unknown>) => {
    call.on('error', () => call.end())
  })
  const broker = messageMethod('/plugin.GRPCBroker/StartStream', connectionInfo, connectionInfo, {
    requestStream: true,
    responseStream: true,
  })
  addMethod(server, broker, (call: ServerDuplexStream<unknown, unknown>) => {
    call.on('error', () => call.end())
    call.on('end', () => call.end())
    call.resume()
  })
}

function addHealth(server: Server): void {
  const definition = messageMethod('/grpc.health.v1.Health/Check', healthCheckRequest, healthCheckResponse)
  addMethod(server, definition, (call: ServerUnaryCall<{ service: string }, unknown>, done: sendUnaryData<unknown>) => {
    const { service } = call.request
    if (service === '' || service === 'plugin') done(null, { status: 'serving' })
    else done({ code: status.NOT_FOUND, details: `there is no service ${service}` })
  })
}
