import type { Decoded, Encodable, Message } from '../../protobuf/index.ts'
import { Failure } from '../failure.ts'
import * as messages from '../protocol/provider-messages.ts'
import type { Answers } from './answers.ts'
import type { Context } from './context.ts'
import { answerGetPluginInfo, answerHandshake } from './handshake.ts'

// biome-ignore lint/suspicious/noExplicitAny: a table of messages of every shape
type AnyMessage = Message<any, any>

/** A method with one request and one answer. An answer that rejects becomes an error of gRPC. */
export interface UnaryMethod {
  decode(bytes: Buffer): unknown
  encode(response: unknown): Buffer
  answer(request: unknown): Promise<unknown>
}

/** Hears of what went wrong in the provider itself. */
export type Complain = (doing: string, error: unknown) => void

/** What answers requests, once it is loaded. */
export interface Answering {
  readonly context: Context
  readonly answers: Answers
}

interface Rpc<Request extends AnyMessage, Response extends AnyMessage> {
  readonly request: Request
  readonly response: Response
}

/**
 * `pulumirpc.ResourceProvider`. What the engine asks before anything else is answered without loading the rest;
 * `hearEngine` is told where the engine is.
 */
export function providerService(
  load: () => Promise<Answering>,
  complain: Complain,
  hearEngine: (address: string) => void,
): Readonly<Record<keyof Answers | 'Handshake' | 'GetPluginInfo' | 'Attach', UnaryMethod>> {
  function plain<Request extends AnyMessage, Response extends AnyMessage>(
    { request: requests, response: responses }: Rpc<Request, Response>,
    doing: string,
    answer: (request: Decoded<Request>) => Promise<Encodable<Response>>,
  ): UnaryMethod {
    return {
      decode: (bytes) => requests.decode(bytes),
      encode: (response) => responses.encode(response as Encodable<Response>),
      answer: async (request) => {
        try {
          return await answer(request as Decoded<Request>)
        } catch (error) {
          if (error instanceof Failure) throw error
          complain(doing, error)
          throw new Failure(
            `The provider failed while it ${doing}: ${error instanceof Error ? error.message : String(error)}\nThis is a mistake in the provider; pulumi --logtostderr -v=9 shows where.`,
          )
        }
      },
    }
  }
  function method<Request extends AnyMessage, Response extends AnyMessage>(
    rpc: Rpc<Request, Response>,
    doing: string,
    answerWith: (answers: Answers) => (context: Context, request: Decoded<Request>) => Promise<Encodable<Response>>,
  ): UnaryMethod {
    return plain(rpc, doing, async (request) => {
      const { context, answers } = await load()
      return answerWith(answers)(context, request)
    })
  }
  return {
    Handshake: plain(messages.handshake, 'shook hands', async ({ engineAddress }) => {
      hearEngine(engineAddress)
      return answerHandshake()
    }),
    Attach: plain(messages.attach, 'was attached', async ({ address }) => {
      hearEngine(address)
      return {}
    }),
    GetPluginInfo: plain(messages.getPluginInfo, 'told its version', answerGetPluginInfo),
    GetSchema: method(messages.getSchema, 'told its schema', (a) => a.GetSchema),
    CheckConfig: method(messages.check, 'checked its configuration', (a) => a.CheckConfig),
    DiffConfig: method(messages.diff, 'compared its configuration', (a) => a.DiffConfig),
    Configure: method(messages.configure, 'took its configuration', (a) => a.Configure),
    Check: method(messages.check, 'checked a resource', (a) => a.Check),
    Diff: method(messages.diff, 'compared a resource', (a) => a.Diff),
    Create: method(messages.create, 'made a resource', (a) => a.Create),
    Read: method(messages.read, 'read a resource', (a) => a.Read),
    Update: method(messages.update, 'changed a resource', (a) => a.Update),
    Delete: method(messages.remove, 'removed a resource', (a) => a.Delete),
    Invoke: method(messages.invoke, 'called a function', (a) => a.Invoke),
    Cancel: method(messages.cancel, 'stopped', (a) => a.Cancel),
  }
}
