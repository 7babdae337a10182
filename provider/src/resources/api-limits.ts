import { isRecord, type Json, type JsonObject, recordOf } from '@svc/schema'
import { InvalidValue } from './attribute-json.ts'
import type { InputDeclaration } from './attributes-of.ts'
import { type Codec, defineResource } from './define-resource.ts'
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

type ChangeRate = (rate: JsonObject, path: readonly string[]) => Json

function eachRate(limits: Json | undefined, change: ChangeRate): Json | undefined {
  if (!isRecord(limits)) return limits
  const { global, per_role } = limits
  const changed = (rate: Json, ...path: readonly string[]) =>
    isRecord(rate) ? change(rate, ['rate_limit', ...path]) : rate
  const byRole = Object.entries(recordOf(per_role)).map(
    ([role, one]) => [role, changed(one, 'per_role', role)] as const,
  )
  return {
    ...(global !== undefined && { global: changed(global, 'global') }),
    ...(isRecord(per_role) && { per_role: Object.fromEntries(byRole) }),
  }
}

/** Each address is `IP` in the metadata. */
const rateCodec: Codec = {
  encode: (given) =>
    eachRate(given, ({ unique_by_ip, ...others }, path) => {
      if (unique_by_ip !== true) return others
      if (others.unique_params === undefined) return { ...others, unique_params: 'IP' }
      throw new InvalidValue([...path, 'unique_params'], 'only one of `unique_by_ip`, `unique_params` may be given')
    }),
  decode: (stored) =>
    eachRate(stored, (rate) => {
      const { unique_params, ...others } = rate
      return unique_params === 'IP' ? { ...others, unique_by_ip: true } : rate
    }),
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
