import type { Environment } from '../client/index.ts'
import {
  createProvider,
  type ObservedRequest,
  type ParallelismOption,
  type Provider,
  toolParallelism,
} from '../core/index.ts'
import { version } from '../version.ts'
import { logLine } from './process/log.ts'
import * as answers from './requests/answers.ts'
import type { Answering } from './requests/provider-service.ts'
import { providerTypes, typeNameOf } from './types.ts'

/** As a line of TF_LOG at DEBUG. */
const logRequest = ({ operation, ...fields }: ObservedRequest): void => {
  process.stderr.write(logLine('debug', `request ${operation}`, fields))
}

export type { Environment }

const parallelism: ParallelismOption = {
  programs: ['terraform', 'tofu'],
  options: ['parallelism'],
  variables: ['TF_CLI_ARGS', 'TF_CLI_ARGS_plan', 'TF_CLI_ARGS_apply', 'TF_CLI_ARGS_destroy'],
  usual: 10,
}

/** The provider as Terraform's users are to see it. */
export const makeProvider = (environment: Environment): Provider =>
  createProvider(
    {
      name: 'terraform',
      version,
      json: 'text',
      reference: (kind, attribute) => `${typeNameOf(snakeCase(kind))}.<name>.${attribute}`,
      typeName: (kind) => typeNameOf(snakeCase(kind)),
      parallelism: () => toolParallelism(parallelism, environment),
      ...(/^(debug|trace|json)$/i.test(environment.TF_LOG_PROVIDER ?? environment.TF_LOG ?? '') && {
        observe: logRequest,
      }),
      hidesValues: 'Behind a variable with sensitive = true no plan prints it; the state has it in the clear.',
      renamed: 'A resource that has another address now keeps its object with a block moved { from = …, to = … }.',
    },
    environment,
  )

/** Everything that answers requests. */
export function makeAnswering(environment: Environment): Answering {
  const provider = makeProvider(environment)
  return { context: { provider, types: providerTypes(provider.declaration) }, answers }
}

const snakeCase = (kind: string) => kind.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase()
