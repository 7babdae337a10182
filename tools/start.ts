/**
 * `npm start`: an engine with a database of its own, a sample music store in it, its metadata applied, one query asked.
 * Everything is kept in `.svc/`, so that a second start finds it and has nothing to do.
 */
import { relative } from 'node:path'
import { findAdminSecret } from './start/admin-secret.ts'
import { applyExample } from './start/apply-example.ts'
import { demonstrate } from './start/demonstration.ts'
import { type Engine, readConnection, startEngine } from './start/engine-process.ts'
import { send } from './start/metadata-api.ts'
import { loadSampleData } from './start/sample-data.ts'
import { readSettings, type Settings } from './start/settings.ts'
import { bold, dim, green, heading, red, StartError, say } from './start/terminal.ts'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const { home, example, checkout } = settings
  heading('Engine')
  const secret = findAdminSecret(home, process.env.SVC_GRAPHQL_ADMIN_SECRET)
  const engine = await startEngine(settings, secret.value)
  const stopped = stopWithUs(engine)
  try {
    const connection = readConnection(home)
    say(`  serving on ${bold(engine.url)} ${dim(`database in ${connection.dataDirectory}`)}`)
    const api = { url: engine.url, adminSecret: secret.value }

    heading('Sample data')
    const milliseconds = await loadSampleData(connection.url)
    if (milliseconds === null) say(`  ${green('kept')} ${dim('the database is not empty')}`)
    else {
      say(`  ${green('loaded')} 275 artists, 347 albums, 3,503 tracks, 412 invoices ${dim(`${milliseconds} ms`)}`)
      await send(api, { type: 'reload_metadata', args: { reload_sources: true, reload_remote_schemas: false } })
    }

    heading(`Metadata: ${relative(checkout, example)}/metadata`)
    await applyExample(api, example)

    heading('One query, as a customer')
    await demonstrate(api)

    heading('Where everything is')
    for (const [name, place] of whereabouts(settings, engine, secret.where, connection))
      say(`  ${name.padEnd(14)} ${place}`)
    say(`\n${green('Ready.')} Ctrl-C stops it; npm start continues here. Next: docs/getting-started.md`)
  } catch (error) {
    await engine.stop('SIGTERM')
    throw error
  }
  await stopped
}

function whereabouts(
  { checkout, home }: Settings,
  engine: Engine,
  secret: string,
  connection: { readonly url: string; readonly dataDirectory: string },
): readonly (readonly [string, string])[] {
  const short = (path: string) => (path.startsWith(checkout) ? relative(checkout, path) : path)
  return [
    ['GraphQL', `${engine.url}/v1/graphql`],
    ['metadata API', `${engine.url}/v1/metadata`],
    ['admin secret', short(secret)],
    ['database', `url in ${short(home)}/database.json`],
    ['data', short(connection.dataDirectory)],
    ['logs', `${short(engine.log)}, ${short(connection.dataDirectory)}/postgres.log`],
    ['start afresh', `rm -r ${[...new Set([home, connection.dataDirectory])].map(short).join(' ')}`],
  ]
}

/** Settles when the engine has ended: because we were told to, or by itself, which is an error. */
async function stopWithUs(engine: Engine): Promise<void> {
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      say(dim('\nstopping'))
      engine.stop(signal)
    })
  const complaint = await engine.ended
  for (const signal of STOP_SIGNALS) process.removeAllListeners(signal)
  if (complaint !== null) throw new StartError(complaint)
}

start().catch((error: unknown) => {
  // only what says what to do is one line; the rest is a bug and wants its stack
  process.stderr.write(
    error instanceof StartError ? `${red('npm start:')} ${error.message}\n` : `${(error as Error).stack}\n`,
  )
  process.exitCode = 1
})
