/**
 * The plugin as it is built, a process of its own, asked through the messages that Pulumi itself ships: what they do
 * not understand of ours shows here.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { credentials, type ServiceError, status } from '@grpc/grpc-js'
import providerGrpc from '@pulumi/pulumi/proto/provider_grpc_pb.js'
import messages from '@pulumi/pulumi/proto/provider_pb.js'
import emptyMessages from 'google-protobuf/google/protobuf/empty_pb.js'
import { cachedPulumiPlugin } from '../../../tools/bundle-pulumi.ts'
import { type EngineService, startEngineService } from './engine-service.ts'
import { type JavaScriptValue, Struct } from './struct.ts'

export type Properties = Readonly<Record<string, unknown>>

export interface Failure {
  readonly property: string
  readonly reason: string
}

interface Difference {
  readonly changes: 'unknown' | 'none' | 'some'
  /** `columns: UPDATE`, sorted. */
  readonly detailed: readonly string[]
  readonly replaces: readonly string[]
  readonly diffs: readonly string[]
  readonly deleteBeforeReplace: boolean
}

interface Found {
  /** Empty: there is none. */
  readonly id: string
  readonly properties: Properties | null
  readonly inputs: Properties | null
  readonly refreshBeforeUpdate: boolean
}

export interface Plugin {
  readonly process: ChildProcess
  readonly pid: number
  /** What it reported to the user. */
  readonly engine: EngineService
  /** What it printed, but for the port. */
  readonly printed: readonly string[]
  /** Milliseconds from its start to its port. */
  readonly ready: number
  schema(): Promise<string>
  version(): Promise<string>
  checkConfig(news: Properties): Promise<{ readonly inputs: Properties; readonly failures: readonly Failure[] }>
  diffConfig(olds: Properties, news: Properties): Promise<Difference>
  configure(args: Properties): Promise<void>
  check(
    urn: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ readonly inputs: Properties; readonly failures: readonly Failure[] }>
  diff(urn: string, id: string, olds: Properties, news: Properties): Promise<Difference>
  create(urn: string, properties: Properties, preview?: boolean): Promise<Omit<Found, 'inputs'>>
  read(urn: string, id: string, properties?: Properties, inputs?: Properties): Promise<Found>
  update(
    urn: string,
    id: string,
    olds: Properties,
    news: Properties,
    preview?: boolean,
  ): Promise<{ readonly properties: Properties; readonly refreshBeforeUpdate: boolean }>
  remove(urn: string, id: string, properties: Properties): Promise<void>
  invoke(
    token: string,
    args: Properties,
  ): Promise<{ readonly result: Properties | null; readonly failures: readonly Failure[] }>
  cancel(): Promise<void>
  /** A method of which it is only interesting whether there is one. */
  getMapping(): Promise<void>
  /** As Pulumi does: cancel, then SIGINT. */
  stop(): Promise<number | null>
  /** Its exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

/** What the plugin answered in place of a result. */
class Refusal extends Error {
  readonly code: number
  readonly details: Buffer | null
  constructor({ code, details, metadata }: ServiceError) {
    super(details)
    this.code = code
    const [sent] = metadata.get('grpc-status-details-bin')
    this.details = Buffer.isBuffer(sent) ? sent : null
  }
}

type WithAfter = { after(cleanUp: () => Promise<void> | void): void }
type PluginEnvironment = Readonly<Record<string, string | undefined>>

/** Built once for all tests of a file. */
let folder: Promise<string> | undefined

/** Starts the plugin, takes its port, shakes hands. */
export async function startPlugin(t: WithAfter, environment: PluginEnvironment = {}): Promise<Plugin> {
  folder ??= cachedPulumiPlugin()
  const file = join(await folder, 'pulumi-resource-svc')
  const engine = await startEngineService(t)
  const begun = performance.now()
  const child = spawn(file, ['--logtostderr', '-v=3', engine.address], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const printed: string[] = []
  createInterface(child.stderr).on('line', (line) => printed.push(line))
  const lines = createInterface(child.stdout)
  const port = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    ended.then((code) => {
      throw new Error(`the plugin ended with ${code}: ${printed.join('\n')}`)
    }),
  ])
  const ready = performance.now() - begun
  lines.on('line', (line) => printed.push(line))
  const client = new providerGrpc.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure())
  t.after(() => client.close())
  const handshake = new messages.ProviderHandshakeRequest()
  handshake.setEngineAddress(engine.address)
  const agreed = await call<messages.ProviderHandshakeResponse>((done) => client.handshake(handshake, done))
  if (!agreed.getAcceptSecrets() || !agreed.getAcceptResources() || agreed.getAcceptOutputs())
    throw new Error('the plugin wants its values otherwise')

  const checkRequest = (urn: string, olds: Properties, news: Properties) => {
    const request = new messages.CheckRequest()
    request.setUrn(urn)
    request.setOlds(structOf(olds))
    request.setNews(structOf(news))
    return request
  }
  const checked = (answer: messages.CheckResponse) => ({
    inputs: plainOf(answer.getInputs()) ?? {},
    failures: answer.getFailuresList().map((one) => ({ property: one.getProperty(), reason: one.getReason() })),
  })
  const diffRequest = (urn: string, id: string, olds: Properties, news: Properties) => {
    const request = new messages.DiffRequest()
    request.setUrn(urn)
    request.setId(id)
    request.setOlds(structOf(olds))
    request.setNews(structOf(news))
    return request
  }
  return {
    process: child,
    ended,
    pid: child.pid ?? 0,
    engine,
    printed,
    ready,
    async schema() {
      const answer = await call<messages.GetSchemaResponse>((done) =>
        client.getSchema(new messages.GetSchemaRequest(), done),
      )
      return answer.getSchema()
    },
    async version() {
      const answer = await call<{ getVersion(): string }>((done) =>
        client.getPluginInfo(new emptyMessages.Empty(), done),
      )
      return answer.getVersion()
    },
    async checkConfig(news) {
      return checked(await call((done) => client.checkConfig(checkRequest('', {}, news), done)))
    },
    async diffConfig(olds, news) {
      return differenceOf(await call((done) => client.diffConfig(diffRequest('', '', olds, news), done)))
    },
    async configure(args) {
      const request = new messages.ConfigureRequest()
      request.setArgs(structOf(args))
      request.setAcceptsecrets(true)
      request.setAcceptresources(true)
      const answer = await call<messages.ConfigureResponse>((done) => client.configure(request, done))
      if (!answer.getSupportspreview() || !answer.getAcceptsecrets() || !answer.getAcceptresources())
        throw new Error('what Configure answers is not what Handshake answered')
    },
    async check(urn, olds, news) {
      return checked(await call((done) => client.check(checkRequest(urn, olds, news), done)))
    },
    async diff(urn, id, olds, news) {
      return differenceOf(await call((done) => client.diff(diffRequest(urn, id, olds, news), done)))
    },
    async create(urn, properties, preview = false) {
      const request = new messages.CreateRequest()
      request.setUrn(urn)
      request.setProperties(structOf(properties))
      request.setPreview(preview)
      const answer = await call<messages.CreateResponse>((done) => client.create(request, done))
      return {
        id: answer.getId(),
        properties: plainOf(answer.getProperties()),
        refreshBeforeUpdate: answer.getRefreshBeforeUpdate(),
      }
    },
    async read(urn, id, properties, inputs) {
      const request = new messages.ReadRequest()
      request.setUrn(urn)
      request.setId(id)
      if (properties) request.setProperties(structOf(properties))
      if (inputs) request.setInputs(structOf(inputs))
      const answer = await call<messages.ReadResponse>((done) => client.read(request, done))
      return {
        id: answer.getId(),
        properties: plainOf(answer.getProperties()),
        inputs: plainOf(answer.getInputs()),
        refreshBeforeUpdate: answer.getRefreshBeforeUpdate(),
      }
    },
    async update(urn, id, olds, news, preview = false) {
      const request = new messages.UpdateRequest()
      request.setUrn(urn)
      request.setId(id)
      request.setOlds(structOf(olds))
      request.setNews(structOf(news))
      request.setPreview(preview)
      const answer = await call<messages.UpdateResponse>((done) => client.update(request, done))
      return {
        properties: plainOf(answer.getProperties()) ?? {},
        refreshBeforeUpdate: answer.getRefreshBeforeUpdate(),
      }
    },
    async remove(urn, id, properties) {
      const request = new messages.DeleteRequest()
      request.setUrn(urn)
      request.setId(id)
      request.setProperties(structOf(properties))
      await call((done) => client.delete(request, done))
    },
    async invoke(token, args) {
      const request = new messages.InvokeRequest()
      request.setTok(token)
      request.setArgs(structOf(args))
      const answer = await call<messages.InvokeResponse>((done) => client.invoke(request, done))
      return {
        result: plainOf(answer.getReturn()),
        failures: answer.getFailuresList().map((one) => ({ property: one.getProperty(), reason: one.getReason() })),
      }
    },
    cancel: async () => {
      await call((done) => client.cancel(new emptyMessages.Empty(), done))
    },
    getMapping: async () => {
      await call((done) => client.getMapping(new messages.GetMappingRequest(), done))
    },
    async stop() {
      await call((done) => client.cancel(new emptyMessages.Empty(), done))
      client.close()
      child.kill('SIGINT')
      return ended
    },
  }
}

type Done<Answer> = (error: ServiceError | null, answer: Answer) => void

const call = <Answer>(send: (done: Done<Answer>) => unknown): Promise<Answer> =>
  new Promise((resolve, reject) => {
    send((error, answer) => {
      if (!error) resolve(answer)
      else reject(error.code === status.UNAVAILABLE ? error : new Refusal(error))
    })
  })

const structOf = (properties: Properties) => Struct.fromJavaScript(properties as Record<string, JavaScriptValue>)
const plainOf = (struct: InstanceType<typeof Struct> | undefined): Properties | null => struct?.toJavaScript() ?? null

const changes = ['unknown', 'none', 'some'] as const
const kinds = ['ADD', 'ADD_REPLACE', 'DELETE', 'DELETE_REPLACE', 'UPDATE', 'UPDATE_REPLACE']

function differenceOf(answer: messages.DiffResponse): Difference {
  const detailed: string[] = []
  answer.getDetaileddiffMap().forEach((one, path) => {
    detailed.push(`${path}: ${kinds[one.getKind()]}`)
  })
  return {
    changes: changes[answer.getChanges()],
    detailed: detailed.sort(),
    replaces: answer.getReplacesList(),
    diffs: answer.getDiffsList(),
    deleteBeforeReplace: answer.getDeletebeforereplace(),
  }
}
