import { createProvider, type Provider } from '../core/index.ts'
import { type Answers, answers } from './requests/answers.ts'
import type { Context } from './requests/context.ts'
import { providerTypes, typeNameOf } from './types.ts'
import { version } from './version.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The provider as Terraform's users are to see it. */
export const makeProvider = (environment: Environment): Provider =>
  createProvider(
    {
      name: 'terraform',
      version,
      json: 'text',
      reference: (kind, attribute) => `${typeNameOf(snakeCase(kind))}.<name>.${attribute}`,
      renamed: 'A resource that has another address now keeps its object with a block moved { from = …, to = … }.',
    },
    environment,
  )

/** Everything that answers requests. */
export function makeAnswering(environment: Environment): { readonly context: Context; readonly answers: Answers } {
  const provider = makeProvider(environment)
  return { context: { provider, types: providerTypes(provider.declaration) }, answers }
}

const snakeCase = (kind: string) => kind.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase()
