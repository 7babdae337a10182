/**
 * Loaded into the engine before itself (`--import`): reports over HTTP how long the longest turn of its event loop took
 * since the last request, in milliseconds of the thread's own CPU time, since on a busy machine the rest is waiting.
 */
import { createServer } from 'node:http'

let longest = 0
let since = 0
let watching = false

const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function watch(): void {
  const now = cpu()
  longest = Math.max(longest, now - since)
  since = now
  if (watching) setImmediate(watch)
}

createServer((request, response) => {
  watching = request.url === '/start'
  if (watching) {
    longest = 0
    since = cpu()
    setImmediate(watch)
  }
  response.end(String(longest))
})
  .listen(Number(process.env.BENCH_TURNS_PORT), '127.0.0.1')
  .unref()
