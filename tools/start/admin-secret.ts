import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './terminal.ts'

export type AdminSecret = {
  readonly value: string
  /** How a user finds it. */
  readonly where: string
}

/** SVC_GRAPHQL_ADMIN_SECRET, else the one in `home`, which the first run makes. @throws StartError */
export function findAdminSecret(home: string, given: string | undefined): AdminSecret {
  if (given) return { value: given, where: '$SVC_GRAPHQL_ADMIN_SECRET' }
  const where = join(home, 'admin-secret')
  try {
    if (existsSync(where)) return { value: readFileSync(where, 'utf8').trim(), where }
    const value = randomBytes(24).toString('base64url')
    mkdirSync(home, { recursive: true })
    writeFileSync(where, `${value}\n`, { mode: 0o600 })
    return { value, where }
  } catch (cause) {
    throw new StartError(
      `The data directory ${home} is not writable. Make it writable, or name another folder with ` +
        'SVC_GRAPHQL_EMBEDDED_DATA_DIRECTORY.',
      { cause },
    )
  }
}
