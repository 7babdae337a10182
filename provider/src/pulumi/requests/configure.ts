import { type Diagnostic, variableOf } from '../../core/index.ts'
import { readConfiguration, withoutOptions } from '../configuration.ts'
import { Failure } from '../failure.ts'
import { anyOf, configureErrorMissingKeys, rpcStatus } from '../protocol/engine-messages.ts'
import type { configure } from '../protocol/provider-messages.ts'
import { noProperties } from '../values/struct.ts'
import { type Answer, type Context, hider, noteNames, reportDiagnostics, textOf } from './context.ts'

/** Where the engine is and how it is to be spoken to. */
export const answerConfigure: Answer<typeof configure> = async (context, { args = noProperties, id, urn }) => {
  const { provider, types, environment, run } = context
  const { values } = readConfiguration(types.config, args.values)
  const fromEnvironment = environment[variableOf('refresh_before_update')] ?? ''
  run.refreshBeforeUpdate = (values.refresh_before_update ?? /^(1|true|yes)$/i.test(fromEnvironment)) === true
  run.self = urn === '' ? null : `${urn}::${id}`
  noteNames(run, urn)
  const problems = provider.configure(withoutOptions(values))
  const missing = problems.find(({ path: [name] }) => typeof name === 'string' && (values[name] ?? null) === null)
  if (missing) throw missingKey(context, missing)
  await reportDiagnostics(context, types.config, '', problems, hider(types.config, args))
  return { acceptSecrets: true, supportsPreview: true, acceptResources: true }
}

/** A required setting that is not set: Pulumi says how to set it. */
function missingKey({ types }: Context, diagnostic: Diagnostic): Failure {
  const message = textOf(types.config, diagnostic)
  const name = String(diagnostic.path[0])
  const description = [types.config[name]?.description, diagnostic.detail].filter(Boolean).join(' ')
  const value = configureErrorMissingKeys.encode({ missingKeys: [{ name, description }] })
  return new Failure(
    message,
    rpcStatus.encode({ code: UNKNOWN, message, details: [anyOf('ConfigureErrorMissingKeys', value)] }),
  )
}

const UNKNOWN = 2
