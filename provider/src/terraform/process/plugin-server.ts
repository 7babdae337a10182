import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type { AnyMessage } from '../../protobuf/index.ts'
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
 * client's is accepted. `shutdown` is called once Terraform has been answered that it will be.
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

type Unary = ServerUnaryCall<unknown, unknown>
type Done = sendUnaryData<unknown>

function addMethod(
  server: Server,
  path: string,
  { decode }: Pick<AnyMessage, 'decode'>,
  { encode }: Pick<AnyMessage, 'encode'>,
  handler: UntypedServiceImplementation[string],
  { requestStream = false, responseStream = false } = {},
): void {
  const definition = {
    path,
    requestStream,
    responseStream,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: decode,
    responseSerialize: encode,
    responseDeserialize: (bytes: Buffer) => bytes,
  }
  server.addService({ [path]: definition }, { [path]: handler })
}

function addProvider(server: Server, methods: Readonly<Record<string, UnaryMethod>>): void {
  for (const [name, method] of Object.entries(methods))
    addMethod(server, `/tfplugin6.Provider/${name}`, method, method, (call: Unary, done: Done) => {
      method.answer(call.request).then(
        (response) => done(null, response),
        (error: unknown) => done({ code: status.INTERNAL, details: String(error) }),
      )
    })
}

function addController(server: Server, shutdown: () => void): void {
  addMethod(server, '/plugin.GRPCController/Shutdown', empty, empty, (call: Unary, done: Done) => {
    done(null, {})
    // the answer is on its way once the call is closed
    call.once('close', shutdown)
    setTimeout(shutdown, 100).unref()
  })
}

/** Terraform keeps these streams open, and nothing is ever sent over them. */
function addOpenStreams(server: Server): void {
  const stdio = (call: ServerWritableStream<unknown, unknown>) => {
    call.on('error', () => call.end())
  }
  addMethod(server, '/plugin.GRPCStdio/StreamStdio', empty, stdioData, stdio, { responseStream: true })
  const broker = (call: ServerDuplexStream<unknown, unknown>) => {
    call.on('error', () => call.end())
    call.on('end', () => call.end())
    call.resume()
  }
  const both = { requestStream: true, responseStream: true }
  addMethod(server, '/plugin.GRPCBroker/StartStream', connectionInfo, connectionInfo, broker, both)
}

function addHealth(server: Server): void {
  const check = (call: ServerUnaryCall<{ service: string }, unknown>, done: Done) => {
    const { service } = call.request
    if (service === '' || service === 'plugin') done(null, { status: 'serving' })
    else done({ code: status.NOT_FOUND, details: `there is no service ${service}` })
  }
  addMethod(server, '/grpc.health.v1.Health/Check', healthCheckRequest, healthCheckResponse, check)
}
