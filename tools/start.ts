/**
 * `npm start`: an engine with a database of its own; the first time a sample music store in it, its metadata applied, one
 * query and two mutations sent.
 * Everything is kept in `.svc/`. A later start changes nothing: what is there is the user's.
 */
import { relative } from 'node:path'
import { ClientError, createMetadataClient, DirectoryError, readLive } from '../provider/src/index.ts'
import { type AdminSecret, findAdminSecret } from './start/admin-secret.ts'
import { applyExample, compareExample, declaresNothing } from './start/apply-example.ts'
import { prepareConsole } from './start/build-console.ts'
import { demonstrateMutations, demonstrateQuery } from './start/demonstration.ts'
import { type Connection, type Engine, readConnection, startEngine } from './start/engine-process.ts'
import { loadSampleData } from './start/sample-data.ts'
import { readSettings, type Settings } from './start/settings.ts'
import { bold, dim, green, heading, red, StartError, say } from './start/terminal.ts'

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  heading('Engine')
  await prepareConsole(settings.checkout)
  const secret = findAdminSecret(settings.home, process.env.SVC_GRAPHQL_ADMIN_SECRET)
  const engine = await startEngine(settings, secret.value)
  const interrupted = stopOnSignals(engine)
  // what fails because of Ctrl-C is not reported
  await showStore(settings, engine, secret).catch(async (error: unknown) => {
    if (interrupted()) return
    await engine.stop('SIGTERM')
    throw error
  })
  const complaint = await engine.ended
  if (complaint !== null) throw new StartError(complaint)
  say(dim('stopped'))
}

function stopOnSignals(engine: Engine): () => boolean {
  let interrupted = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      interrupted = true
      engine.stop(signal)
    })
  return () => interrupted
}

async function showStore(settings: Settings, engine: Engine, secret: AdminSecret): Promise<void> {
  const { home, example, checkout } = settings
  const connection = readConnection(home)
  say(`  serving on ${bold(engine.url)}`)
  if (connection.dataDirectory !== home)
    say(
      `  data in ${connection.dataDirectory} ${dim('(the user PostgreSQL runs under in place of root cannot enter here)')}`,
    )

  const client = createMetadataClient({
    endpoint: engine.url,
    adminSecret: secret.value,
    actor: 'npm start',
    userAgent: 'npm start',
  })

  const isFresh = declaresNothing((await readLive(client)).document)
  heading('Sample data')
  const milliseconds = isFresh ? await loadSampleData(connection.url) : null
  if (milliseconds === null) say(`  ${green('kept')} ${dim('an earlier start has begun with it')}`)
  else {
    say(`  ${green('loaded')} 275 artists, 347 albums, 3,503 tracks, 412 invoices ${dim(`${milliseconds} ms`)}`)
    await client.send({ type: 'reload_metadata', args: { reload_sources: true, reload_remote_schemas: false } })
  }

  heading(`Metadata: ${relative(checkout, example)}/metadata`)
  if (isFresh) await applyExample(client, example)
  else await compareExample(client, example, restoreCommand(settings, engine, secret))

  if (milliseconds !== null) {
    heading('One query, as a customer')
    await demonstrateQuery(engine.url, secret.value)

    heading('Two mutations of the customer: one is refused, one is done')
    await demonstrateMutations(engine.url, secret.value)
  }

  heading('Where everything is')
  for (const [name, place] of whereabouts(settings, engine, secret, connection)) say(`  ${name.padEnd(14)} ${place}`)
  say(`\n${green('Ready.')} Ctrl-C stops it; npm start continues here. Next: docs/getting-started.md`)
}

function restoreCommand({ checkout, example }: Settings, engine: Engine, secret: AdminSecret): string {
  const place = secret.where.startsWith('$') ? secret.where : `$(cat ${shortened(checkout, secret.where)})`
  return `npx svc metadata apply --project ${relative(checkout, example)} --endpoint ${engine.url} --admin-secret "${place}"`
}

const shortened = (checkout: string, path: string) => (path.startsWith(checkout) ? relative(checkout, path) : path)

function whereabouts(
  { checkout, home }: Settings,
  engine: Engine,
  secret: AdminSecret,
  { dataDirectory }: Connection,
): readonly (readonly [string, string])[] {
  const short = (path: string) => shortened(checkout, path)
  return [
    ['console', `${engine.url}/console`],
    ['GraphQL', `${engine.url}/v1/graphql`],
    ['metadata API', `${engine.url}/v1/metadata`],
    ['admin secret', short(secret.where)],
    ['database', `url in ${short(home)}/database.json`],
    ['data', short(dataDirectory)],
    ['logs', `${short(engine.log)}, ${short(dataDirectory)}/postgres.log`],
    ['start afresh', `rm -r ${[...new Set([home, dataDirectory])].map(short).join(' ')}`],
  ]
}

/** These say in one line what to do; anything else is a bug and wants its stack. */
const isForPeople = (error: unknown): error is Error =>
  error instanceof StartError || error instanceof ClientError || error instanceof DirectoryError

start().catch((error: unknown) => {
  process.stderr.write(isForPeople(error) ? `${red('npm start:')} ${error.message}\n` : `${(error as Error).stack}\n`)
  process.exitCode = 1
})
