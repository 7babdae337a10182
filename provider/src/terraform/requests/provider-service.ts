import type { Decoded, Encodable, Message } from '../../protobuf/index.ts'
import { pathText } from '../attribute-path.ts'
import { failureMessage } from '../diagnostics.ts'
import type { UnaryMethod } from '../process/service.ts'
import type { DiagnosticMessage } from '../protocol/provider-messages.ts'
import * as messages from '../protocol/provider-messages.ts'
import { ValueError } from '../values/value-error.ts'
import type { Answers } from './answers.ts'
import type { Context } from './context.ts'

// biome-ignore lint/suspicious/noExplicitAny: a table of messages of every shape
type AnyMessage = Message<any, any>

/** Receives what went wrong in the provider itself. */
export type Complain = (doing: string, error: unknown) => void

/** What answers requests, once it is loaded. */
export interface Answering {
  readonly context: Context
  readonly answers: Answers
}

interface Rpc<Request extends AnyMessage, Response extends AnyMessage> {
  readonly request: Request
  readonly response: Response
  /** For the sentence "The provider failed while it …". */
  readonly doing: string
  /** What a failure leaves as it is: a state that is left out is one that is gone. */
  readonly kept?: (request: Decoded<Request>) => Encodable<Response>
}

/**
 * `tfplugin6.Provider`. A failure of our own is answered as a diagnostic. `schema`: the answer to GetProviderSchema,
 * where it is known without loading anything.
 */
export function providerService(
  load: () => Promise<Answering>,
  complain: Complain,
  schema: Buffer | null = null,
): Readonly<Record<keyof Answers, UnaryMethod>> {
  function method<Request extends AnyMessage, Response extends AnyMessage>(
    { request: requests, response: responses, doing, kept }: Rpc<Request, Response>,
    answerWith: (answers: Answers) => (context: Context, request: Decoded<Request>) => Promise<Encodable<Response>>,
  ): UnaryMethod {
    return {
      decode: (bytes) => requests.decode(bytes),
      encode: (response) => responses.encode(response as Encodable<Response>),
      answer: async (decoded) => {
        const request = decoded as Decoded<Request>
        try {
          const { context, answers } = await load()
          return await answerWith(answers)(context, request)
        } catch (error) {
          if (!(error instanceof ValueError)) complain(doing, error)
          return { ...kept?.(request), diagnostics: [explain(doing, error)] }
        }
      },
    }
  }
  return {
    GetMetadata: method({ ...messages.getMetadata, doing: 'asked what it has' }, (a) => a.GetMetadata),
    GetProviderSchema: schema
      ? { decode: () => ({}), encode: () => schema, answer: async () => ({}) }
      : method({ ...messages.getProviderSchema, doing: 'asked for its schema' }, (a) => a.GetProviderSchema),
    ValidateProviderConfig: method(
      { ...messages.validateProviderConfig, doing: 'checked its configuration' },
      (a) => a.ValidateProviderConfig,
    ),
    ValidateResourceConfig: method(
      { ...messages.validateResourceConfig, doing: 'checked a resource' },
      (a) => a.ValidateResourceConfig,
    ),
    ValidateDataResourceConfig: method(
      { ...messages.validateDataResourceConfig, doing: 'checked a data source' },
      (a) => a.ValidateDataResourceConfig,
    ),
    ConfigureProvider: method(
      { ...messages.configureProvider, doing: 'took its configuration' },
      (a) => a.ConfigureProvider,
    ),
    UpgradeResourceState: method(
      { ...messages.upgradeResourceState, doing: 'upgraded a state' },
      (a) => a.UpgradeResourceState,
    ),
    MoveResourceState: method({ ...messages.moveResourceState, doing: 'moved a state' }, (a) => a.MoveResourceState),
    ReadResource: method(
      {
        ...messages.readResource,
        doing: 'read a resource',
        kept: ({ currentState, private: kept }) => ({ newState: currentState, private: kept }),
      },
      (a) => a.ReadResource,
    ),
    PlanResourceChange: method(
      {
        ...messages.planResourceChange,
        doing: 'planned a change',
        kept: ({ priorState, priorPrivate }) => ({ plannedState: priorState, plannedPrivate: priorPrivate }),
      },
      (a) => a.PlanResourceChange,
    ),
    ApplyResourceChange: method(
      {
        ...messages.applyResourceChange,
        doing: 'applied a change',
        kept: ({ priorState, plannedPrivate }) => ({ newState: priorState, private: plannedPrivate }),
      },
      (a) => a.ApplyResourceChange,
    ),
    ImportResourceState: method(
      { ...messages.importResourceState, doing: 'imported a resource' },
      (a) => a.ImportResourceState,
    ),
    ReadDataSource: method({ ...messages.readDataSource, doing: 'read a data source' }, (a) => a.ReadDataSource),
    StopProvider: method({ ...messages.stopProvider, doing: 'stopped' }, (a) => a.StopProvider),
  }
}

function explain(doing: string, error: unknown): DiagnosticMessage {
  if (!(error instanceof ValueError)) return failureMessage(doing, error)
  return { severity: 'error', summary: `${pathText(error.path)}: ${error.message}` }
}
