import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionSettings } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import { findProgram } from './find-program.ts'

export interface DumpLimits {
  /** Bytes of the dump. */
  readonly most: number
  /** Aborted when no one waits for it any more. */
  readonly signal: AbortSignal
}

/**
 * Runs pg_dump on a source's database and returns its output in pieces. The password is in the environment, which other
 * users of the machine cannot read as they can a command line. Rejects with unexpected 500, its stderr in `internal`.
 */
export async function dumpDatabase(
  settings: ConnectionSettings,
  options: readonly string[],
  { most, signal }: DumpLimits,
): Promise<readonly Buffer[]> {
  const program = findProgram('pg_dump', process.env.PATH ?? '')
  if (program === null)
    throw failed(
      'pg_dump is not installed where the engine runs: install the client programs of PostgreSQL, of the version of the ' +
        'server or a newer one (Debian, Alpine: postgresql-client; Red Hat: postgresql; macOS: libpq)',
    )
  const { url, environment, end } = connectionOf(settings)
  try {
    return await run(
      program,
      [`--dbname=${url}`, '--no-password', '--encoding=utf8', ...options],
      environment,
      most,
      signal,
    )
  } finally {
    end()
  }
}

function run(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  most: number,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], signal })
    const output: Buffer[] = []
    let size = 0
    let said = ''
    child.stdout.on('data', (part: Buffer) => {
      size += part.length
      output.push(part)
      if (size <= most) return
      output.length = 0
      child.kill()
      reject(new ApiError('bad-request', Path.root, `the dump is larger than ${most} bytes (--max-response-size)`))
    })
    child.stderr.on('data', (part: Buffer) => {
      said = `${said}${part.toString('utf8')}`.slice(0, 10_000)
    })
    child.once('error', (error) =>
      reject(signal.aborted ? error : failed('error while executing pg_dump', error.message)),
    )
    child.once('close', (code) => {
      if (code === 0) resolve(output)
      else reject(failed('error while executing pg_dump', said.trim()))
    })
  })
}

const failed = (message: string, internal?: string) =>
  new ApiError('unexpected', Path.root, message, { status: 500, ...(internal !== undefined && { internal }) })

/** A URL without its password, and what libpq reads from the environment; `end` removes certificates from the disk. */
function connectionOf({ databaseUrl, ssl }: ConnectionSettings) {
  const [url, password] = withoutPassword(databaseUrl)
  const folder =
    ssl && (ssl.rootCertificate ?? ssl.certificate ?? ssl.key) !== null
      ? mkdtempSync(join(tmpdir(), 'svc-dump-'))
      : null
  const file = (name: string, text: string | null): string | undefined => {
    if (folder === null || text === null) return undefined
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const environment = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    PGPASSWORD: password,
    PGSSLMODE: ssl?.mode,
    PGSSLROOTCERT: file('root.pem', ssl?.rootCertificate ?? null),
    PGSSLCERT: file('certificate.pem', ssl?.certificate ?? null),
    PGSSLKEY: file('key.pem', ssl?.key ?? null),
  }
  return {
    url,
    environment: Object.fromEntries(
      Object.entries(environment).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    end: () => {
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The text is unchanged otherwise: libpq allows more in a URL than the web does. */
function withoutPassword(url: string): readonly [string, string | undefined] {
  const match = /^(\w+:\/\/[^:@/]*):([^@/]*)@/.exec(url)
  if (!match) return [url, undefined]
  const [whole, before, password = ''] = match
  return [`${before}@${url.slice(whole.length)}`, decodeURIComponent(password)]
}
