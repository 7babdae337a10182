import { lazily } from '../lazily.ts'
import { loadAnswering } from './load.ts'
import { createEngineLog } from './process/engine-log.ts'
import { holdLifeline } from './process/lifeline.ts'
import { startPluginServer } from './process/plugin-server.ts'
import type { Environment } from './requests/context.ts'
import { earlyMethods } from './requests/early-methods.ts'
import { lateNames } from './requests/late-names.ts'

/** How long calls in progress may take after Pulumi has requested the process to end: it kills after five seconds. */
const LAST_MILLISECONDS = 4500

/** Runs the provider until Pulumi is done with it. Ends the process. */
export async function runPlugin(given: readonly string[], environment: Environment): Promise<void> {
  const log = createEngineLog()
  log.connect(engineAddress(given))
  const complain = (doing: string, error: unknown) => {
    const text = `failed while it ${doing}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    process.stderr.write(`${text}\n`)
    void log.report('debug', text)
  }
  let isLoaded = false
  const answering = lazily(() => {
    isLoaded = true
    return loadAnswering(environment, (text, urn) => log.report('warning', text, urn), complain)
  })
  const late = lateNames.map(
    (name) => [name, async (bytes: Buffer) => (await answering()).methods[name](bytes)] as const,
  )
  const server = await startPluginServer({ ...earlyMethods(complain, log.connect), ...Object.fromEntries(late) })
  holdLifeline(() => {
    setTimeout(() => process.exit(0), LAST_MILLISECONDS).unref()
    if (isLoaded) void answering().then(({ stop }) => stop())
    void server.close().then(() => process.exit(0))
  })
  process.on('uncaughtException', (error) => complain('did nothing in particular', error))
  process.on('unhandledRejection', (error) => complain('did nothing in particular', error))
  // The first line, and nothing else on it. Where it reaches no one, the process that started this one had ended before
  // it had read which that is, and would never be missed.
  process.stdout.write(`${server.port}\n`, (error) => {
    if (error) process.exit(0)
  })
}

/** Behind the options, one of which has an address of its own: `--tracing <address>`. */
function engineAddress(given: readonly string[]): string {
  const last = given.at(-1) ?? ''
  return last.startsWith('-') || given.at(-2) === '--tracing' ? '' : last
}
