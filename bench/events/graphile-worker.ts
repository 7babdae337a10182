/** A process of graphile-worker whose jobs fetch: `[database URL, webhook]`. */
import { Logger, run } from 'graphile-worker'

const [connectionString = '', webhook = ''] = process.argv.slice(2)
const runner = await run({
  connectionString,
  noHandleSignals: true,
  // as its own page on performance has it: jobs fetched and completed in batches
  preset: {
    worker: { concurrentJobs: 100, maxPoolSize: 10, localQueue: { size: 500 }, completeJobBatchDelay: 0 },
  },
  logger: new Logger(() => () => {}),
  taskList: {
    async send(payload) {
      const answer = await fetch(webhook, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
      })
      await answer.text()
      if (!answer.ok) throw new Error(String(answer.status))
    },
  },
})
process.send?.('ready')
await runner.promise
