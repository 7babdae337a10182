import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type AdminSecret = {
  readonly value: string
  /** How somebody finds it. */
  readonly where: string
  readonly isNew: boolean
}

/** SVC_GRAPHQL_ADMIN_SECRET, else the one in `home`, which the first run makes. */
export function findAdminSecret(home: string, given: string | undefined): AdminSecret {
  if (given) return { value: given, where: '$SVC_GRAPHQL_ADMIN_SECRET', isNew: false }
  const path = join(home, 'admin-secret')
  if (existsSync(path)) return { value: readFileSync(path, 'utf8').trim(), where: path, isNew: false }
  mkdirSync(home, { recursive: true })
  const value = randomBytes(24).toString('base64url')
  writeFileSync(path, `${value}\n`, { mode: 0o600 })
  return { value, where: path, isNew: true }
}
