import { z } from 'zod'
import { withInputForm } from '../input-forms.ts'
import type { Json } from '../json.ts'
import {
  boolean,
  checked,
  choose,
  filled,
  integer,
  lenient,
  list,
  optional,
  record,
  type Schema,
  text,
  type Value,
} from '../shape.ts'

const version: Schema<1 | 2> = withInputForm(
  z.unknown().transform((value, context): 1 | 2 => {
    if (value === undefined || value === null || value === 1) return 1
    if (value === 2) return 2
    context.issues.push({
      code: 'custom',
      message: `expected 1 or 2, encountered ${JSON.stringify(value)}`,
      input: value,
    })
    return z.NEVER
  }),
  { schema: { enum: [1, 2] } },
)

const uuid: Schema<string> = z.guid('expected a UUID')

/**
 * A try once, or one that adds to the fork of a plan (docs/dry-run.md); `preview` requests docs/preview.md, `step` that of
 * what the request adds to the plan, `draft` leaves the
 * outcome as a draft (docs/drafts.md) for 24 hours, or for that many seconds.
 */
export type DryRun =
  | true
  | {
      readonly plan?: string | undefined
      readonly preview?: boolean | 'step' | undefined
      readonly draft?: boolean | { readonly expires_in?: number | undefined } | undefined
    }

const draft = choose<boolean | { readonly expires_in?: number | undefined }>((value) =>
  typeof value === 'object' && value !== null
    ? record(
        {
          expires_in: optional(
            checked(integer, (seconds) => seconds >= 1 && seconds <= 604_800, 'expected 1 to 604,800 seconds'),
          ),
        },
        { unknown: 'refuse' },
      )
    : boolean,
)

const preview: Schema<boolean | 'step'> = choose<boolean | 'step'>((value) =>
  value === 'step' ? z.literal('step') : boolean,
)

const dryRun: Schema<DryRun | undefined> = choose<DryRun | undefined>((value) =>
  typeof value === 'object' && value !== null
    ? lenient({ plan: optional(uuid), preview: optional(preview), draft: optional(draft) })
    : z.boolean().transform((given): DryRun | undefined => given || undefined),
)

/**
 * The body of a request and a member of a bulk (reference/metadata-requests#body). `args` may be absent; an operation
 * that needs them says so.
 */
export const envelope = lenient({
  type: text,
  version: filled<1 | 2>(version, 1),
  args: z.unknown().optional() as Schema<Json | undefined>,
  resource_version: optional(integer),
  if_unchanged_since: optional(integer),
  as_drafted: optional(text),
  dry_run: optional(dryRun as Schema<DryRun>),
})
export type Envelope = Value<typeof envelope>

/** Members of bulk, bulk_keep_going and bulk_atomic (reference/metadata-requests#bulks). */
export const bulkArgs = list(envelope)
