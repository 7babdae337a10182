import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { ClientError } from './client-error.ts'

/** Those of Node, and those in the file. Throws ClientError. */
export function trustedCertificates(file: string): string[] {
  try {
    const text = readFileSync(file, 'utf8')
    new X509Certificate(text) // what TLS would silently ignore is refused here
    return [...rootCertificates, text]
  } catch (error) {
    const reason = error instanceof Error && 'syscall' in error ? error.message : 'it holds no certificate in PEM'
    throw new ClientError('certificate-authority', `cannot read the certificate authority ${file}: ${reason}`)
  }
}
