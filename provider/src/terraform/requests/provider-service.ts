import type { Decoded, Encodable, Message } from '../../protobuf/index.ts'
import { pathText } from '../attribute-path.ts'
import { failureMessage } from '../diagnostics.ts'
import type { UnaryMethod } from '../process/service.ts'
import type { DiagnosticMessage } from '../protocol/provider-messages.ts'
import * as messages from '../protocol/provider-messages.ts'
import { ValueError } from '../values/dynamic-value.ts'
import { answerApplyResourceChange } from './apply-resource-change.ts'
import { answerConfigureProvider } from './configure-provider.ts'
import type { Context } from './context.ts'
import { answerGetMetadata } from './get-metadata.ts'
import { answerGetProviderSchema } from './get-provider-schema.ts'
import { answerImportResourceState } from './import-resource-state.ts'
import { answerMoveResourceState } from './move-resource-state.ts'
import { answerPlanResourceChange } from './plan-resource-change.ts'
import { answerReadDataSource } from './read-data-source.ts'
import { answerReadResource } from './read-resource.ts'
import { answerUpgradeResourceState } from './upgrade-resource-state.ts'
import {
  answerValidateDataResourceConfig,
  answerValidateProviderConfig,
  answerValidateResourceConfig,
} from './validate-config.ts'

// biome-ignore lint/suspicious/noExplicitAny: a table of messages of every shape
type AnyMessage = Message<any, any>

/** Hears of what went wrong in the provider itself. */
export type Complain = (doing: string, error: unknown) => void

/**
 * The methods of `tfplugin6.Provider`. A failure of our own is answered as a diagnostic, and with it what keeps
 * Terraform from forgetting an object: a state that is left out is one that is gone.
 */
export function providerService(
  context: () => Promise<Context>,
  complain: Complain,
): Readonly<Record<string, UnaryMethod>> {
  const method = <Request extends AnyMessage, Response extends AnyMessage>(
    types: { readonly request: Request; readonly response: Response },
    doing: string,
    answer: (context: Context, request: Decoded<Request>) => Promise<Encodable<Response>>,
    kept: (request: Decoded<Request>) => Encodable<Response> = () => ({}) as Encodable<Response>,
  ): UnaryMethod => ({
    decode: (bytes) => types.request.decode(bytes),
    encode: (response) => types.response.encode(response as Encodable<Response>),
    answer: async (request) => {
      try {
        return await answer(await context(), request as Decoded<Request>)
      } catch (error) {
        if (!(error instanceof ValueError)) complain(doing, error)
        return { ...kept(request as Decoded<Request>), diagnostics: [explain(doing, error)] }
      }
    },
  })
  return {
    GetMetadata: method(messages.getMetadata, 'told what it has', answerGetMetadata),
    GetProviderSchema: method(messages.getProviderSchema, 'told its schema', answerGetProviderSchema),
    ValidateProviderConfig: method(
      messages.validateProviderConfig,
      'checked its configuration',
      answerValidateProviderConfig,
    ),
    ValidateResourceConfig: method(messages.validateResourceConfig, 'checked a resource', answerValidateResourceConfig),
    ValidateDataResourceConfig: method(
      messages.validateDataResourceConfig,
      'checked a data source',
      answerValidateDataResourceConfig,
    ),
    ConfigureProvider: method(messages.configureProvider, 'took its configuration', answerConfigureProvider),
    UpgradeResourceState: method(messages.upgradeResourceState, 'upgraded a state', answerUpgradeResourceState),
    MoveResourceState: method(messages.moveResourceState, 'moved a state', answerMoveResourceState),
    ReadResource: method(messages.readResource, 'read a resource', answerReadResource, ({ currentState }) => ({
      ...(currentState && { newState: currentState }),
    })),
    PlanResourceChange: method(
      messages.planResourceChange,
      'planned a change',
      answerPlanResourceChange,
      (request) => ({
        ...(request.priorState && { plannedState: request.priorState }),
      }),
    ),
    ApplyResourceChange: method(
      messages.applyResourceChange,
      'applied a change',
      answerApplyResourceChange,
      (request) => ({
        ...(request.priorState && { newState: request.priorState }),
        private: request.plannedPrivate,
      }),
    ),
    ImportResourceState: method(messages.importResourceState, 'imported a resource', answerImportResourceState),
    ReadDataSource: method(messages.readDataSource, 'read a data source', answerReadDataSource),
    StopProvider: {
      decode: (bytes) => messages.stopProvider.request.decode(bytes),
      encode: (response) =>
        messages.stopProvider.response.encode(response as Encodable<typeof messages.stopProvider.response>),
      answer: async () => {
        const { provider } = await context()
        provider.stop()
        return {}
      },
    },
  }
}

function explain(doing: string, error: unknown): DiagnosticMessage {
  if (!(error instanceof ValueError)) return failureMessage(doing, error)
  return { severity: 'error', summary: `${pathText(error.path)}: ${error.message}` }
}
