import { isDeepStrictEqual } from 'node:util'
import type { Decoded, Encodable } from '../../protobuf/index.ts'
import { readConfiguration } from '../configuration.ts'
import { pulumiName } from '../names.ts'
import type { diff } from '../protocol/provider-messages.ts'
import { noProperties } from '../values/struct.ts'
import type { Context } from './context.ts'

/** Nothing of the configuration makes resources again: an engine may move, and its metadata with it. */
export async function answerDiffConfig(
  { types }: Context,
  { olds = noProperties, news = noProperties }: Decoded<typeof diff.request>,
): Promise<Encodable<typeof diff.response>> {
  const before = readConfiguration(types.config, olds.values).values
  const after = readConfiguration(types.config, news.values).values
  const changed = Object.keys(types.config).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return { changes: changed.length === 0 ? 'none' : 'some', diffs: changed.map(pulumiName) }
}
