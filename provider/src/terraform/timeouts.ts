import { type Diagnostic, errorOf } from '../core/index.ts'
import { type Attributes, attributesOf, isValues, type Value, type Values } from '../resources/index.ts'

const actions = ['create', 'update', 'delete'] as const
type Action = (typeof actions)[number]

/** What every resource has in Terraform in addition to its own attributes; the core knows nothing of it. */
export const TIMEOUTS = 'timeouts'

export const timeoutAttributes: Attributes = attributesOf({
  [TIMEOUTS]: {
    description: "How long to wait for the engine. Without it the provider's `request_timeout` counts.",
    type: {
      kind: 'object',
      name: 'Timeouts',
      attributes: attributesOf(
        Object.fromEntries(
          actions.map((action) => [
            action,
            { description: `For the ${action}, as in \`30s\` or \`2m\`.`, type: 'string', optional: true },
          ]),
        ),
      ),
    },
    optional: true,
  },
})

/** The values that the core knows. */
export function withoutTimeouts(values: Values): Values {
  const { [TIMEOUTS]: _, ...own } = values
  return own
}

export const withTimeouts = (own: Values, timeouts: Value | undefined): Values => ({
  ...own,
  [TIMEOUTS]: timeouts ?? null,
})

/** Undefined where none is set, or none that is known. */
export function timeoutOf(values: Values | null, action: Action): number | undefined {
  const timeouts = values?.[TIMEOUTS]
  const text = isValues(timeouts) ? timeouts[action] : null
  return typeof text === 'string' ? (parseDuration(text) ?? undefined) : undefined
}

export function checkTimeouts(values: Values): readonly Diagnostic[] {
  const timeouts = values[TIMEOUTS]
  if (!isValues(timeouts)) return []
  return Object.entries(timeouts).flatMap(([action, text]) =>
    typeof text !== 'string' || parseDuration(text) !== null
      ? []
      : [errorOf(`"${text}" is no duration`, 'Write numbers with units, as in 30s, 2m or 1h30m.', [TIMEOUTS, action])],
  )
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of `1h30m`, as Go and so Terraform's users write it; null for anything else, and for nothing at all. */
function parseDuration(text: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return null
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)]
  const total = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0), 0)
  return total > 0 ? Math.ceil(total) : null
}
