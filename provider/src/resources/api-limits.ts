import type { Json } from '@svc/schema'
import { InvalidValue } from './attribute-json.ts'
import type { InputDeclaration } from './attributes-of.ts'
import { type Codec, defineResource } from './define-resource.ts'
import { isObject } from './in-table.ts'
import { operations } from './operation.ts'

const limit = (
  typeName: string,
  description: string,
  value: Omit<InputDeclaration, 'description'> = {},
): InputDeclaration => ({
  description,
  typeName,
  of: {
    global: { ...value, description: 'For every role that has none of its own.' },
    per_role: { ...value, description: 'By role.' },
  },
})

const rate = {
  typeName: 'RequestRate',
  of: {
    max_reqs_per_min: 'Requests a minute.',
    unique_by_ip: {
      description: 'Whether each address of clients is counted for itself.',
      type: 'boolean',
      default: false,
    },
    unique_params: { description: 'Session variables whose values are counted each for itself.', set: true },
  },
} as const

/** Each address is `IP` in the metadata. */
const encodeRate =
  (path: readonly string[]) =>
  (given: Json): Json => {
    if (!isObject(given)) return given
    const { unique_by_ip, ...others } = given
    if (unique_by_ip !== true) return others
    if (others.unique_params !== undefined)
      throw new InvalidValue([...path, 'unique_params'], 'only one of `unique_by_ip`, `unique_params` may be given')
    return { ...others, unique_params: 'IP' }
  }

function decodeRate(stored: Json): Json {
  if (!isObject(stored) || stored.unique_params !== 'IP') return stored
  const { unique_params: _, ...others } = stored
  return { ...others, unique_by_ip: true }
}

const eachRate = (
  limits: Json | undefined,
  change: (rate: Json, path: readonly string[]) => Json,
): Json | undefined => {
  if (!isObject(limits)) return limits
  const { global, per_role } = limits
  return {
    ...(global !== undefined && { global: change(global, ['rate_limit', 'global']) }),
    ...(isObject(per_role) && {
      per_role: Object.fromEntries(
        Object.entries(per_role).map(([role, one]) => [role, change(one, ['rate_limit', 'per_role', role])]),
      ),
    }),
  }
}

const rateCodec: Codec = {
  encode: (given) => eachRate(given, (one, path) => encodeRate(path)(one)),
  decode: (stored) => eachRate(stored, decodeRate),
}

/** Limits of requests (reference/metadata-operations#roles-limits-telemetry). */
export const apiLimits = defineResource({
  kind: 'ApiLimits',
  type: 'api_limits',
  description:
    'What requests may request, for all roles and by role. There is one of it in an engine: a second stack that declares it is refused, and deleting it lifts every limit.',
  inputs: {
    disabled: 'Whether no limit holds for now.',
    depth_limit: limit('WholeLimit', 'How deep a query may be nested.'),
    node_limit: limit('WholeLimit', 'How many fields a query may have.'),
    batch_limit: limit('WholeLimit', 'How many operations a request may have.'),
    time_limit: limit('TimeLimit', 'Seconds a request may take.'),
    rate_limit: limit('RateLimit', 'How many requests there may be in a minute.', rate),
  },
  identity: [],
  example: ['api_limits'],
  codecs: { rate_limit: rateCodec },
  ...operations('set_api_limits', 'set_api_limits', 'remove_api_limits'),
})
