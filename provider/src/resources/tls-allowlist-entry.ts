import { type JsonObject, recordsIn, tlsHost } from '@svc/schema'
import { identifying } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { op } from './operation.ts'

/** A host whose certificate is trusted (reference/metadata-operations#roles-limits-telemetry). */
export const tlsAllowlistEntry = defineResource({
  kind: 'TlsAllowlistEntry',
  type: 'network',
  description:
    'A host that the engine calls without verifying its certificate. Other hosts of the list are left alone, so that several stacks may have their own.',
  inputs: {
    host: identifying('Its name or address.'),
    suffix: identifying('Its port. Without it every port.'),
    permissions: {
      description: 'What its certificate may be.',
      type: { kind: 'set', of: { kind: 'string', choices: ['self-signed'] } },
      optional: true,
    },
  },
  schemas: [tlsHost],
  identity: ['host', 'suffix'],
  example: ['collector.internal', '4318'],
  createBeforeDelete: true,
  part: {
    assemble: (hosts) => ({ tls_allowlist: hosts }),
    parts: ({ tls_allowlist }) => recordsIn(tls_allowlist),
    key: ({ host = null, suffix = null }) => JSON.stringify([host, suffix]),
    path: (path) => (path[0] === 'tls_allowlist' ? path.slice(2) : path),
  },
  create: (now) => [op('add_host_to_tls_allowlist', now)],
  update: (old, now) => [drop(old), op('add_host_to_tls_allowlist', now)],
  delete: (old) => [drop(old)],
})

const drop = ({ host = null, suffix }: JsonObject) =>
  op('drop_host_from_tls_allowlist', { host, ...(suffix !== undefined && { suffix }) })
