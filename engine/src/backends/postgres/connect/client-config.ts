import type pg from 'pg'
import type { ConnectionSettings, SslSettings } from '../../backend.ts'
import { connectionUrl } from './connection-url.ts'

/** Returns what pg needs to connect. Throws an Error that names no secret when the URL cannot be read. */
export function clientConfig(settings: ConnectionSettings): pg.ClientConfig {
  return {
    connectionString: connectionUrl(settings.databaseUrl),
    fallback_application_name: 'svc',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    ...(settings.ssl && { ssl: sslConfig(settings.ssl) }),
  }
}

/** An address that drops packets would otherwise delay a request for minutes. */
const CONNECT_TIMEOUT = 15_000

function sslConfig({ mode, rootCertificate, certificate, key, password }: SslSettings): pg.ClientConfig['ssl'] {
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') return false
  return {
    // with a root certificate, `require` verifies it, as libpq does
    rejectUnauthorized: mode !== 'require' || rootCertificate !== null,
    ...(rootCertificate !== null && { ca: rootCertificate }),
    ...(certificate !== null && { cert: certificate }),
    ...(key !== null && { key }),
    ...(password !== null && { passphrase: password }),
    // anything below verify-full does not compare the host's name
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}
