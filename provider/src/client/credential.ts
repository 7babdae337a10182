import { accessTokenFrom, type TokenSource } from './access-token.ts'
import { ClientError } from './client-error.ts'

export interface Credentials {
  /** Or an access token. */
  readonly adminSecret?: string | undefined
  /** Counts before the admin secret. */
  readonly token?: TokenSource | undefined
}

/**
 * The header with the credential: an access token (docs/access-tokens.md) may be in the header of the admin secret,
 * too.
 */
export function credentialOf(
  { adminSecret, token: source }: Credentials,
  prefix: string,
): () => Promise<Readonly<Record<string, string>>> {
  if (source) {
    const token = accessTokenFrom(source)
    return async () => {
      try {
        return { 'x-svc-access-token': await token() }
      } catch (error) {
        throw new ClientError('token', error instanceof Error ? error.message : 'there is no access token')
      }
    }
  }
  const headers: Readonly<Record<string, string>> =
    adminSecret === undefined
      ? {}
      : { [adminSecret.startsWith('svct_') ? 'x-svc-access-token' : `${prefix}admin-secret`]: adminSecret }
  return async () => headers
}
