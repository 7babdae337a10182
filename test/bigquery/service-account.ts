import { createVerify, generateKeyPairSync } from 'node:crypto'

export interface ServiceAccount {
  /** What sources are configured with: the key file of the account, with parts that nothing reads. */
  readonly json: {
    readonly type: 'service_account'
    readonly project_id: string
    readonly client_email: string
    readonly private_key: string
  }
  /** The claims of an assertion that it has signed; null: it has not. */
  claimsOf(assertion: string): Readonly<Record<string, unknown>> | null
}

/** A service account with a key of its own. */
export function createServiceAccount(project: string): ServiceAccount {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return {
    json: {
      type: 'service_account',
      project_id: 'not-the-project-that-is-used',
      client_email: `tests@${project}.iam.gserviceaccount.com`,
      private_key: privateKey,
    },
    claimsOf(assertion) {
      const [header = '', claims = '', signature = ''] = assertion.split('.')
      const isSigned = createVerify('RSA-SHA256')
        .update(`${header}.${claims}`)
        .verify(publicKey, signature, 'base64url')
      return isSigned ? JSON.parse(Buffer.from(claims, 'base64url').toString()) : null
    },
  }
}
