import { checkConfiguration, readConfiguration } from '../configuration.ts'
import type { check } from '../protocol/provider-messages.ts'
import { noProperties } from '../values/struct.ts'
import { checkFailures, strangerFailures } from './check-failures.ts'
import { type Answer, hider, noteNames } from './context.ts'

/**
 * The provider's configuration, returned as it is: what the environment adds must not be stored, since a refresh or a
 * destroy would go by it for ever.
 */
export const answerCheckConfig: Answer<typeof check> = async (
  { provider, types, run },
  { urn, news = noProperties },
) => {
  noteNames(run, urn)
  const { values, strangers } = readConfiguration(types.config, news.values)
  const failures = [
    ...strangerFailures(types.config, strangers),
    ...checkFailures(types.config, checkConfiguration(provider, values), hider(types.config, news)),
  ]
  return { inputs: news, failures }
}
