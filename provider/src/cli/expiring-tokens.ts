import { recordOf, recordsIn } from '@svc/schema'
import { ClientError } from '../client/index.ts'
import type { CommandContext } from './command-context.ts'

interface ExpiringToken {
  readonly name: string
  readonly expires_at: string
  readonly expired: boolean
}

const soon = 14 * 86_400_000

/**
 * Access tokens that have expired or will within two weeks: all of them with the admin secret, with a token that one. A remark
 * is not worth the answer that it stands next to: none where the engine cannot say it.
 */
export async function expiringTokens({ config, client }: CommandContext): Promise<readonly ExpiringToken[]> {
  const { adminSecret = '', token } = config
  try {
    const isToken = token !== undefined || adminSecret.startsWith('svct_')
    const tokens = await (isToken ? ownToken(client()) : allTokens(client()))
    return tokens.filter(({ expires_at }) => Date.parse(expires_at) <= Date.now() + soon)
  } catch (error) {
    if (error instanceof ClientError) return []
    throw error
  }
}

type Client = ReturnType<CommandContext['client']>

async function allTokens(client: Client): Promise<readonly ExpiringToken[]> {
  const { body } = await client.send({ type: 'list_access_tokens', args: {} })
  return recordsIn(recordOf(body).access_tokens).flatMap(({ name, expires_at, expired, superseded }) => {
    if (superseded === true || typeof expires_at !== 'string') return []
    return [{ name: String(name), expires_at, expired: expired === true }]
  })
}

/** Which every answer says. */
async function ownToken(client: Client): Promise<readonly ExpiringToken[]> {
  const { tokenExpiresAt } = await client.send({ type: 'list_source_kinds', args: {} })
  return tokenExpiresAt === undefined ? [] : [{ name: 'of this run', expires_at: tokenExpiresAt, expired: false }]
}
