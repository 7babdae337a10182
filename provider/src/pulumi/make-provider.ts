import { createProvider, type ParallelismOption, type Provider, toolParallelism } from '../core/index.ts'
import { version } from '../version.ts'
import { pulumiName, resourceToken } from './names.ts'
import { type Environment, newRun, type Report, type Run } from './requests/context.ts'
import { lateMethods } from './requests/late-methods.ts'
import type { LateMethod } from './requests/late-names.ts'
import type { Complain, UnaryMethod } from './requests/unary-method.ts'
import { providerTypes } from './types.ts'

/** Without the option it is four for each processor. */
const parallelism: ParallelismOption = {
  programs: ['pulumi'],
  options: ['parallel', 'p'],
  variables: ['PULUMI_PARALLEL'],
  usual: 4,
}

/** The provider as Pulumi's users are to see it. */
const makeProvider = (environment: Environment, run: Run): Provider =>
  createProvider(
    {
      name: 'pulumi',
      version,
      json: 'doubles',
      reference: (kind, attribute) => `the output ${pulumiName(attribute)} of the ${kind}`,
      typeName: resourceToken,
      kindName: resourceToken,
      names: () => run.names,
      parallelism: () => toolParallelism(parallelism, environment),
      renamed:
        'A resource that has another name now keeps its object with the option aliases: [{ name: … }]. One that is made again by up --replace is taken over with adopt_existing, and stays; where nothing lies in it, the option deleteBeforeReplace lets it go first.',
    },
    environment,
  )

export interface Answering {
  readonly methods: Readonly<Record<LateMethod, UnaryMethod>>
  stop(): void
}

/** Everything that answers requests. */
export function makeAnswering(environment: Environment, report: Report, complain: Complain): Answering {
  const run = newRun()
  const provider = makeProvider(environment, run)
  const context = { provider, types: providerTypes(provider.declaration), environment, report, run }
  return { methods: lateMethods(context, complain), stop: () => provider.stop() }
}
