import { isDeepStrictEqual } from 'node:util'
import { readConfiguration } from '../configuration.ts'
import { pulumiName } from '../names.ts'
import type { diff } from '../protocol/provider-messages.ts'
import { noProperties } from '../values/struct.ts'
import type { Answer } from './context.ts'

/** Nothing of the configuration makes resources again: an engine may move, and its metadata with it. */
export const answerDiffConfig: Answer<typeof diff> = async (
  { types },
  { olds = noProperties, news = noProperties },
) => {
  const before = readConfiguration(types.config, olds.values).values
  const after = readConfiguration(types.config, news.values).values
  const changed = Object.keys(types.config).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return { changes: changed.length === 0 ? 'none' : 'some', diffs: changed.map(pulumiName) }
}
