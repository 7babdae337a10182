import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import { FatalError } from '../config/index.ts'

export interface TlsFiles {
  readonly tlsCertFile: string | null
  readonly tlsKeyFile: string | null
}

/**
 * Returns a server of HTTP, or of HTTPS where the settings name files of certificate and key; files that change are
 * read again within seconds, for new connections. Throws FatalError for files that cannot be used.
 */
export function createListener(files: TlsFiles, options: ServerOptions, listener: RequestListener): Server {
  const { tlsCertFile: cert, tlsKeyFile: key } = files
  if (cert === null && key === null) return createServer(options, listener)
  if (cert === null || key === null)
    throw new FatalError('Fatal Error: --tls-cert-file and --tls-key-file are needed together')
  const server = createTlsServer({ ...options, ...read(cert, key) }, listener)
  const changed = () => {
    try {
      server.setSecureContext(read(cert, key))
    } catch {
      // half written, or wrong: the old pair serves on, and the next change is read again
    }
  }
  for (const file of [cert, key]) watchFile(file, { interval: watchMilliseconds, persistent: false }, changed)
  server.once('close', () => {
    for (const file of [cert, key]) unwatchFile(file, changed)
  })
  return server
}

const watchMilliseconds = 5000

function read(certFile: string, keyFile: string): { readonly cert: Buffer; readonly key: Buffer } {
  try {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
    createSecureContext(pair)
    return pair
  } catch (error) {
    const why = error instanceof Error ? error.message : ''
    throw new FatalError(`Fatal Error: the TLS files ${certFile} and ${keyFile} cannot be used: ${why}`)
  }
}
