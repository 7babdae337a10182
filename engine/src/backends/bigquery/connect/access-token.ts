import { sign } from 'node:crypto'
import type { ServiceAccount } from '../source-settings.ts'
import { type ApiAnswer, RequestFailed } from './api-answer.ts'

/** Sends a form to the token endpoint; rejects where there is no answer. */
export type SendForm = (form: URLSearchParams) => Promise<ApiAnswer>

export interface AccessToken {
  readonly access_token: string
  /** Milliseconds since 1970. */
  readonly expiry_date: number
}

const scope = 'https://www.googleapis.com/auth/cloud-platform'
const seconds = 3600

/**
 * Exchanges an assertion of the service account for an access token. Throws RequestFailed. The client's library has the
 * same exchange, for one token endpoint that cannot be set.
 */
export async function fetchAccessToken(
  account: ServiceAccount,
  tokenEndpoint: string,
  send: SendForm,
): Promise<AccessToken> {
  const answer = await send(
    new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion(account, tokenEndpoint, Math.floor(Date.now() / 1000)),
    }),
  )
  const { access_token: token, expires_in: lifetime } = (answer.json ?? {}) as Record<string, unknown>
  if (answer.status !== 200 || typeof token !== 'string') throw new RequestFailed('token', answer)
  return { access_token: token, expiry_date: Date.now() + (Number(lifetime) || seconds) * 1000 }
}

/** A JWT signed with RS256, valid for an hour. */
function assertion({ clientEmail, privateKey }: ServiceAccount, audience: string, now: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: clientEmail, scope, aud: audience, iat: now, exp: now + seconds }
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`
}
