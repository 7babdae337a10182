import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { DatabaseUser } from './database-user.ts'
import { EmbeddedError } from './embedded-error.ts'
import type { Programs } from './programs.ts'
import { runProgram } from './run-program.ts'

/** Made once, with the cluster they belong to. */
const passwords = z.object({ superuser: z.string(), owner: z.string() })
export type Passwords = z.infer<typeof passwords>

/** It is inside the cluster, so that neither is ever found without the other. */
const passwordFile = (cluster: string) => join(cluster, 'svc-passwords.json')

/**
 * Makes the cluster when there is none yet, and reads its passwords.
 * @throws EmbeddedError when what is there is of another major version, or no cluster of ours.
 */
export async function initialiseCluster(
  cluster: string,
  programs: Programs,
  user: DatabaseUser | null,
  isDisposable: boolean,
): Promise<Passwords> {
  if (isEmpty(cluster)) await initdb(cluster, programs, user, isDisposable)
  else await checkVersion(cluster, programs, user)
  if (!existsSync(passwordFile(cluster)))
    throw new EmbeddedError(
      `${cluster} holds a database that no engine made: ${passwordFile(cluster)} is missing.`,
      'Name another folder with SVC_GRAPHQL_EMBEDDED_DATA_DIRECTORY, or the database with SVC_GRAPHQL_DATABASE_URL.',
    )
  return passwords.parse(JSON.parse(readFileSync(passwordFile(cluster), 'utf8')))
}

export function isEmpty(directory: string): boolean {
  return !existsSync(directory) || readdirSync(directory).length === 0
}

async function checkVersion(cluster: string, programs: Programs, user: DatabaseUser | null): Promise<void> {
  const file = join(cluster, 'PG_VERSION')
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  if (found === null)
    throw new EmbeddedError(
      `${cluster} is not empty and holds no PostgreSQL database.`,
      'Move it away, or name another folder with SVC_GRAPHQL_EMBEDDED_DATA_DIRECTORY.',
    )
  const { output } = await runProgram(programs.postgres, ['--version'], user)
  const ours = /(\d+)[.\w]*\s*$/.exec(output)?.[1] ?? ''
  if (found !== ours)
    throw new EmbeddedError(
      `The data directory ${dirname(cluster)} was made by PostgreSQL ${found}, this engine brings PostgreSQL ${ours}.`,
      'Start the engine version that made it, or move the folder away to begin with an empty database.',
    )
}

/** Built in another folder and renamed: an initdb that was killed leaves nothing that could be taken for a database. */
async function initdb(
  cluster: string,
  programs: Programs,
  user: DatabaseUser | null,
  isDisposable: boolean,
): Promise<void> {
  const parent = dirname(cluster)
  for (const name of readdirSync(parent))
    if (name.startsWith('initdb-')) rmSync(join(parent, name), { recursive: true, force: true })
  const made: Passwords = { superuser: newPassword(), owner: newPassword() }
  const workshop = join(parent, `initdb-${process.pid}`)
  const passwordIn = join(workshop, 'password')
  const fresh = join(workshop, 'cluster')
  mkdirSync(workshop, { mode: 0o700 })
  writeFileSync(passwordIn, made.superuser, { mode: 0o600 })
  for (const path of [workshop, passwordIn]) if (user) chownSync(path, user.uid, user.gid)
  const { exitCode, failure, output } = await runProgram(
    programs.initdb,
    [...initdbArguments(fresh, passwordIn), ...(isDisposable ? ['--no-sync'] : [])],
    user,
  )
  if (exitCode !== 0) {
    rmSync(workshop, { recursive: true, force: true })
    throw new EmbeddedError(
      `PostgreSQL's initdb failed: ${failure ?? lastComplaint(output)}.`,
      `Read the folder ${parent}: its space, its rights, its file system.`,
    )
  }
  writeFileSync(passwordFile(fresh), JSON.stringify(made), { mode: 0o600 })
  if (user) chownSync(passwordFile(fresh), user.uid, user.gid)
  rmSync(cluster, { recursive: true, force: true })
  renameSync(fresh, cluster)
  rmSync(workshop, { recursive: true, force: true })
}

const newPassword = () => randomBytes(24).toString('base64url')

/** The builtin collation: the same order on every machine, whatever locales it has. */
function initdbArguments(cluster: string, passwordIn: string): readonly string[] {
  return [
    `--pgdata=${cluster}`,
    '--username=postgres',
    `--pwfile=${passwordIn}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--set=timezone=UTC',
    '--set=log_timezone=UTC',
  ]
}

function lastComplaint(output: string): string {
  const lines = output.trim().split('\n')
  const complaint = lines.findLast((line) => /error|fatal|panic/i.test(line)) ?? lines.at(-1) ?? ''
  return complaint.replace(/^initdb: (error: )?/, '').replace(/\.$/, '')
}
