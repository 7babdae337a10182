import { createProvider, type Provider } from '../core/index.ts'
import { pulumiName, resourceToken } from './names.ts'
import { answers } from './requests/answers.ts'
import { type Environment, newRun, type Tell } from './requests/context.ts'
import type { Answering } from './requests/provider-service.ts'
import { providerTypes } from './types.ts'
import { version } from './version.ts'

/** The provider as Pulumi's users are to see it. */
export const makeProvider = (environment: Environment): Provider =>
  createProvider(
    {
      name: 'pulumi',
      version,
      json: 'value',
      reference: (kind, attribute) => `the output ${pulumiName(attribute)} of the ${kind}`,
      kindName: resourceToken,
    },
    environment,
  )

/** Everything that answers requests. */
export function makeAnswering(environment: Environment, tell: Tell): Answering {
  const provider = makeProvider(environment)
  return { context: { provider, types: providerTypes(provider.face), tell, run: newRun() }, answers }
}
