import { answerAllowance, executeGraphql } from '../execute/index.ts'
import { Subscriptions } from '../subscriptions/index.ts'
import { graphqlSettings } from './graphql-settings.ts'
import type { ServerParts } from './server-parts.ts'

/** Starts live queries and streams, polled as the flags say. */
export function startSubscriptions({
  config,
  metadata,
  caches,
  actions,
  observer,
  tallyOf,
}: ServerParts): Subscriptions {
  const settings = graphqlSettings(config)
  return new Subscriptions({
    current: () => metadata.current().model,
    caches,
    graphql: settings,
    tallyOf,
    live: {
      interval: config.liveQueriesMultiplexedRefetchInterval,
      batchSize: config.liveQueriesMultiplexedBatchSize,
    },
    streams: {
      interval: config.streamingQueriesMultiplexedRefetchInterval,
      batchSize: config.streamingQueriesMultiplexedBatchSize,
    },
    execute: async ({ request, session, api, clientHeaders }, signal) => {
      const { model } = metadata.current()
      const answerSize = answerAllowance(config.maxResponseSize)
      const repeated = { ...request, isRepeated: true }
      const asked = { model, request: repeated, session, api, ...(clientHeaders && { clientHeaders }) }
      return executeGraphql({ ...asked, caches, settings, answerSize, actions, signal, tallyOf })
    },
    maxAnswerSize: config.maxResponseSize,
    observer,
  })
}
