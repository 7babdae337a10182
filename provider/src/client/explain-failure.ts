import type { RequestError } from 'got'
import { ClientError } from './client-error.ts'

const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/

/** One line for a request that got no answer; `changes`: it may have been carried out nevertheless. */
export function explainFailure(error: RequestError, endpoint: string, changes: boolean): ClientError {
  const { code } = error
  if (error.name === 'AbortError') return new ClientError('interrupted', 'interrupted')
  if (code === 'ECONNREFUSED')
    return new ClientError(
      'unreachable',
      `cannot reach the engine at ${endpoint}: connection refused. Is it running, and is the endpoint right?`,
    )
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ClientError('unreachable', `cannot reach the engine at ${endpoint}: the name of the host is unknown`)
  if (code === 'ETIMEDOUT')
    return new ClientError('unreachable', `cannot reach the engine at ${endpoint}: no answer in time`)
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    const advice = changes ? ': whether it stored anything, `svc metadata diff` shows it' : ''
    return new ClientError('unreachable', `the engine at ${endpoint} closed the connection before it answered${advice}`)
  }
  if (untrusted.test(code))
    return new ClientError(
      'untrusted',
      `the certificate of ${endpoint} is not trusted (${oneLine(error.message)}): give --certificate-authority FILE, or --insecure-skip-tls-verify`,
    )
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return new ClientError('unreachable', `${endpoint} does not speak TLS: should it be http:// instead of https://?`)
  return new ClientError('unreachable', `cannot reach the engine at ${endpoint}: ${oneLine(error.message)}`)
}

const oneLine = (text: string) => text.split('\n')[0] ?? text
