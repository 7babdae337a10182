import type { ClientError } from '../client/index.ts'
import { errorOf } from './diagnostic.ts'
import type { Diagnostic } from './provider.ts'

/** Returns the error of a request without a usable answer, in terms of the provider's own attributes. */
export function explainClientError(error: ClientError, endpoint: string): Diagnostic {
  switch (error.problem) {
    case 'unauthorised':
      return {
        ...errorOf(
          `the engine at ${endpoint} refuses the admin secret`,
          'Give the one it has as admin_secret or SVC_GRAPHQL_ADMIN_SECRET.',
        ),
        problem: 'unauthorised',
      }
    case 'token':
      return errorOf(error.message, 'Is it expired or revoked? It is given as token, oidc_token_file or oidc_audience.')
    case 'untrusted':
      return errorOf(
        `the certificate of ${endpoint} is not trusted`,
        'Give certificate_authority, or insecure_skip_tls_verify.',
      )
    case 'certificate-authority':
      return errorOf(error.message, '', ['certificate_authority'])
    case 'other-catalog':
      return errorOf(
        error.message,
        'Is it the engine that this configuration is for? After a restore of its catalogue, give the new id.',
        ['catalog_id'],
      )
    case 'no-draft':
      return errorOf(error.message, 'Nothing was written. Plan again, and have that draft approved.', ['draft'])
    case 'conflict':
      return errorOf(
        'others change the metadata all the time',
        'It was never left alone long enough to store this. Nothing was changed: try again.',
      )
    case 'interrupted':
      return errorOf('interrupted', 'Nothing was sent for this resource.')
    case 'unreachable':
    case 'not-an-engine':
    case 'older-engine':
    case 'refused':
      return errorOf(error.message)
  }
}
