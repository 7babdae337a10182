import type { Message, Rpc } from '../../protobuf/index.ts'
import { pathText } from '../attribute-path.ts'
import { failureMessage } from '../diagnostics.ts'
import type { UnaryMethod } from '../process/service.ts'
import type { DiagnosticMessage } from '../protocol/provider-messages.ts'
import * as messages from '../protocol/provider-messages.ts'
import { ValueError } from '../values/value-error.ts'
import type * as answers from './answers.ts'
import type { Context } from './context.ts'

type Answers = typeof answers
type Name = keyof Answers
type RequestTo<N extends Name> = Parameters<Answers[N]>[1]
type ResponseOf<N extends Name> = Awaited<ReturnType<Answers[N]>>

/** Receives what went wrong in the provider itself. */
export type Complain = (doing: string, error: unknown) => void

/** What answers requests, once it is loaded. */
export interface Answering {
  readonly context: Context
  readonly answers: Answers
}

/**
 * `tfplugin6.Provider`. A failure of our own is answered as a diagnostic. `schema`: the answer to GetProviderSchema,
 * where it is known without loading anything.
 */
export function providerService(
  load: () => Promise<Answering>,
  complain: Complain,
  schema: Buffer | null = null,
): Readonly<Record<Name, UnaryMethod>> {
  /** `doing`: for the sentence "The provider failed while it …". `unchanged`: what a failure leaves as it is, since a state that is left out is gone. */
  const method = <N extends Name>(
    name: N,
    { request: requests, response: responses }: Rpc<Message<RequestTo<N>, unknown>, Message<unknown, ResponseOf<N>>>,
    doing: string,
    unchanged?: (request: RequestTo<N>) => ResponseOf<N>,
  ): UnaryMethod => ({
    decode: (bytes) => requests.decode(bytes),
    encode: (response) => responses.encode(response as ResponseOf<N>),
    async answer(request) {
      try {
        const { context, answers } = await load()
        return await answers[name](context, request as never)
      } catch (error) {
        if (!(error instanceof ValueError)) complain(doing, error)
        return { ...unchanged?.(request as RequestTo<N>), diagnostics: [explain(doing, error)] }
      }
    },
  })
  return {
    GetMetadata: method('GetMetadata', messages.getMetadata, 'asked what it has'),
    GetProviderSchema: schema
      ? { decode: () => ({}), encode: () => schema, answer: async () => ({}) }
      : method('GetProviderSchema', messages.getProviderSchema, 'asked for its schema'),
    ValidateProviderConfig: method(
      'ValidateProviderConfig',
      messages.validateProviderConfig,
      'checked its configuration',
    ),
    ValidateResourceConfig: method('ValidateResourceConfig', messages.validateResourceConfig, 'checked a resource'),
    ValidateDataResourceConfig: method(
      'ValidateDataResourceConfig',
      messages.validateDataResourceConfig,
      'checked a data source',
    ),
    ConfigureProvider: method('ConfigureProvider', messages.configureProvider, 'took its configuration'),
    UpgradeResourceState: method('UpgradeResourceState', messages.upgradeResourceState, 'upgraded a state'),
    MoveResourceState: method('MoveResourceState', messages.moveResourceState, 'moved a state'),
    ReadResource: method(
      'ReadResource',
      messages.readResource,
      'read a resource',
      ({ currentState, private: stored }) => ({ newState: currentState, private: stored }),
    ),
    PlanResourceChange: method(
      'PlanResourceChange',
      messages.planResourceChange,
      'planned a change',
      ({ priorState, priorPrivate }) => ({ plannedState: priorState, plannedPrivate: priorPrivate }),
    ),
    ApplyResourceChange: method(
      'ApplyResourceChange',
      messages.applyResourceChange,
      'applied a change',
      ({ priorState, plannedPrivate }) => ({ newState: priorState, private: plannedPrivate }),
    ),
    ImportResourceState: method('ImportResourceState', messages.importResourceState, 'imported a resource'),
    ReadDataSource: method('ReadDataSource', messages.readDataSource, 'read a data source'),
    StopProvider: method('StopProvider', messages.stopProvider, 'stopped'),
  }
}

function explain(doing: string, error: unknown): DiagnosticMessage {
  if (!(error instanceof ValueError)) return failureMessage(doing, error)
  return { severity: 'error', summary: `${pathText(error.path)}: ${error.message}` }
}
