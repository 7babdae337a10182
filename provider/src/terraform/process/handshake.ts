import type { Environment } from '../../client/index.ts'
import type { Certificate } from './certificate.ts'

/** What Terraform puts into the environment of a provider that it starts (go-plugin). */
const COOKIE = ['TF_PLUGIN_MAGIC_COOKIE', 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2'] as const
const PROTOCOL = '6'

export interface Terms {
  /** Terraform's own certificate, to be the only one trusted; null: no TLS is wanted. */
  readonly clientCertificate: string | null
  /** Where the socket is to be made; null: wherever. */
  readonly socketDirectory: string | null
}

/** Text for a user who starts the program by hand, or with a Terraform that is too old. */
export type Refusal = { readonly refusal: string }

export function readTerms(environment: Environment): Terms | Refusal {
  if (environment[COOKIE[0]] !== COOKIE[1])
    return {
      refusal:
        'This program is a provider: Terraform starts it. See docs/terraform.md; with --debug it can be started by hand.',
    }
  const versions = environment.PLUGIN_PROTOCOL_VERSIONS
  if (versions && !versions.split(',').includes(PROTOCOL))
    return {
      refusal: `this provider speaks protocol ${PROTOCOL}, this Terraform only ${versions}: use Terraform 1.0 or later`,
    }
  return {
    clientCertificate: environment.PLUGIN_CLIENT_CERT || null,
    socketDirectory: environment.PLUGIN_UNIX_SOCKET_DIR || null,
  }
}

/** Where the server listens: a socket's path, or a port that only this machine reaches. */
export type ListeningPlace = { readonly network: 'unix' | 'tcp'; readonly address: string }

/** The line from which Terraform knows where to connect. It must be the first on stdout. */
export function handshakeLine({ network, address }: ListeningPlace, certificate: Certificate | null): string {
  const proof = certificate ? certificate.certificateDer.toString('base64').replace(/=+$/, '') : ''
  return `1|${PROTOCOL}|${network}|${address}|grpc|${proof}\n`
}

/** What `export TF_REATTACH_PROVIDERS=…` wants for a provider that was started with --debug. */
export function reattachText(source: string, { network, address }: ListeningPlace, pid: number): string {
  return JSON.stringify({
    [source]: {
      Protocol: 'grpc',
      ProtocolVersion: Number(PROTOCOL),
      Pid: pid,
      Test: true,
      Addr: { Network: network, String: address },
    },
  })
}
