/** Where an access token of a run comes from (docs/access-tokens.md#credentials-of-a-run). */
import { readFile } from 'node:fs/promises'
import { isRecord } from '@svc/schema'
import type { Environment } from './environment.ts'

export type TokenSource =
  | { readonly kind: 'value'; readonly value: string }
  /** Read for each request: its writer replaces the token before it expires. */
  | { readonly kind: 'file'; readonly path: string }
  /** GitHub's, which issues a run as many as it requests. */
  | { readonly kind: 'github'; readonly url: string; readonly bearer: string; readonly audience: string }
  /** An audience is set where nothing issues tokens; what needs no engine works nevertheless. */
  | { readonly kind: 'none'; readonly reason: string }

export interface TokenSettings {
  readonly token?: string | undefined
  readonly oidcTokenFile?: string | undefined
  readonly oidcAudience?: string | undefined
}

/** The first that says something; undefined: nothing is set. */
export function tokenSourceOf(
  { token, oidcTokenFile, oidcAudience }: TokenSettings,
  environment: Environment,
): TokenSource | undefined {
  if (token !== undefined) return { kind: 'value', value: token }
  if (oidcTokenFile !== undefined) return { kind: 'file', path: oidcTokenFile }
  if (oidcAudience === undefined) return undefined
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = environment
  if (url && bearer) return { kind: 'github', url, bearer, audience: oidcAudience }
  const ofTerraform = environment.TFC_WORKLOAD_IDENTITY_TOKEN
  if (ofTerraform) return { kind: 'value', value: ofTerraform }
  return {
    kind: 'none',
    reason:
      'an OIDC audience is set, and nothing here issues tokens: in GitHub Actions the job needs the permission "id-token: write", in Terraform Cloud the workspace TFC_WORKLOAD_IDENTITY_AUDIENCE; elsewhere set SVC_GRAPHQL_TOKEN or SVC_GRAPHQL_OIDC_TOKEN_FILE',
  }
}

/** Milliseconds before it expires that a token is replaced. */
const margin = 60_000
const timeout = 15_000

/** The token for a request made now. Rejects with a line for people, without any secret. */
export function accessTokenFrom(source: TokenSource): () => Promise<string> {
  switch (source.kind) {
    case 'value':
      return async () => source.value
    case 'none':
      return async () => {
        throw new Error(source.reason)
      }
    case 'file':
      return async () => {
        const text = await readFile(source.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw new Error(`the OIDC token in ${source.path} cannot be read: ${error.code}`)
        })
        return text.trim()
      }
    case 'github': {
      let known: Promise<string> | null = null
      let until = 0
      return async () => {
        if (known && Date.now() < until) return known
        until = Date.now() + margin
        known = fromGithub(source)
        try {
          const token = await known
          until = expiryOf(token) - margin
          return token
        } catch (error) {
          known = null
          throw error
        }
      }
    }
  }
}

async function fromGithub({ url, bearer, audience }: Extract<TokenSource, { kind: 'github' }>): Promise<string> {
  const asked = new URL(url)
  asked.searchParams.set('audience', audience)
  const response = await fetch(asked, {
    headers: { authorization: `Bearer ${bearer}`, accept: 'application/json' },
    signal: AbortSignal.timeout(timeout),
  }).catch(() => null)
  const body: unknown = await response?.json().catch(() => null)
  if (response?.ok && isRecord(body) && typeof body.value === 'string') return body.value
  throw new Error(`GitHub issues no OIDC token (${response ? `HTTP ${response.status}` : 'no answer'})`)
}

/** Milliseconds since 1970; 0 where it does not say: then a new one is fetched for each request. */
function expiryOf(token: string): number {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return isRecord(claims) && typeof claims.exp === 'number' ? claims.exp * 1000 : 0
  } catch {
    return 0
  }
}
