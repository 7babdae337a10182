/**
 * What is made of most of the program, zod and the catalogue among it, is loaded by these functions: a start need not
 * wait for it.
 */
import type { Answering } from './make-provider.ts'
import type { Environment, Report } from './requests/context.ts'
import type { Complain } from './requests/unary-method.ts'
import type { Examples } from './schema/index.ts'

export async function loadAnswering(environment: Environment, report: Report, complain: Complain): Promise<Answering> {
  const { makeAnswering } = await import('./make-provider.ts')
  return makeAnswering(environment, report, complain)
}

/** The types of everything there is, as the generators of SDKs and YAML want them. */
export async function loadPulumiSchema(examples?: Examples): Promise<object> {
  const { pulumiSchema } = await import('./schema/index.ts')
  return pulumiSchema(undefined, examples)
}
