import { type Json, type JsonObject, recordOf, recordsIn } from '@svc/schema'
import { warningOf } from './diagnostic.ts'
import { previewText } from './preview-text.ts'
import type { Diagnostic } from './provider.ts'

/** What of a preview is warned of: what breaks clients, or anything. */
export type WarnsOf = 'breaking' | 'any'

/**
 * The warnings of one run about previews of its plan (docs/preview.md). A tool announces no end of a plan: what is
 * planned after a preview was read is warned of by itself, and nothing twice. No two summaries are the same, since
 * tools show one of those.
 */
export class ApiPreviews {
  readonly #endpoint: string
  readonly #warned = new Set<string>()
  #of: WarnsOf | null = null
  #warnings = 0

  constructor(endpoint: string) {
    this.#endpoint = endpoint
  }

  /** Whether a preview was read, so that what is planned later has to be compared with it. */
  get isRead(): boolean {
    return this.#of !== null
  }

  /** The warning for a preview that is read now. */
  read(preview: JsonObject, of: WarnsOf): readonly Diagnostic[] {
    this.#of = this.#of === 'any' ? 'any' : of
    return this.#warn(preview, '')
  }

  /** The warning for what came after the preview was read. */
  later(preview: JsonObject): readonly Diagnostic[] {
    return this.#warn(preview, `planned after the preview was read (${this.#warnings + 1}): `)
  }

  #warn(preview: JsonObject, prefix: string): readonly Diagnostic[] {
    const fresh = this.#unknownOf(preview)
    const { breaking, breakingUsed, operations } = countBreaking(fresh)
    const breaks = breaking + operations > 0
    if (!breaks && (this.#of === 'breaking' || recordsIn(fresh.roles).length === 0)) return []
    for (const key of keysOf(fresh)) this.#warned.add(key)
    this.#warnings++
    const used = breakingUsed > 0 ? `, ${breakingUsed} of them used` : ''
    const stored = operations > 0 ? `, ${counted(operations, 'stored operation')} broken` : ''
    const what = breaks ? `${counted(breaking, 'breaking change')}${used}${stored}` : 'changes'
    return [warningOf(`${prefix}${what} of the API at ${this.#endpoint}`, previewText(fresh, 'text'))]
  }

  /** A preview without what was warned of. */
  #unknownOf(preview: JsonObject): JsonObject {
    const isNew = (role: Json | undefined) => (part: JsonObject) => !this.#warned.has(keyOf(role, part))
    const schemaOf = (role: Json | undefined, schema: Json | undefined): JsonObject => {
      const { changes, ...others } = recordOf(schema)
      return { ...others, changes: recordsIn(changes).filter(isNew(role)) }
    }
    const roles = recordsIn(preview.roles).map(({ role = null, schema, backend, rows }) => ({
      role,
      schema: schemaOf(role, schema),
      backend: schemaOf(role, backend),
      rows: recordsIn(rows).filter(isNew(role)),
    }))
    return {
      ...preview,
      roles: roles.filter(({ schema, backend, rows }) => [schema.changes, backend.changes, rows].some(isFilled)),
      operations: recordsIn(preview.operations).filter(isNew(null)),
    }
  }
}

/** The field of a role without any other: by GraphQL's rules its removal breaks clients, but there is nothing that they requested. */
const placeholder = 'query_root.no_queries_available'

/** Counts the changes of the API that break clients: for how many roles, whether used, and which stored operations. */
export function countBreaking(preview: JsonObject) {
  const changes = recordsIn(preview.roles)
    .flatMap(changesOf)
    .filter(({ severity, at }) => severity === 'breaking' && at !== placeholder)
  return {
    breaking: changes.length,
    breakingUsed: changes.filter(({ used }) => isFilled(used)).length,
    operations: recordsIn(preview.operations).length,
  }
}

const changesOf = ({ schema, backend }: JsonObject): readonly JsonObject[] =>
  [schema, backend].flatMap((one) => recordsIn(recordOf(one).changes))

const isFilled = (json: Json | undefined): boolean => Array.isArray(json) && json.length > 0

/** How often operations were counted meanwhile makes no other change of it. */
function keyOf(role: Json | undefined, { used: _, used_not_listed: __, ...part }: JsonObject): string {
  return JSON.stringify([role ?? null, part])
}

const keysOf = (preview: JsonObject): readonly string[] => [
  ...recordsIn(preview.roles).flatMap((one) =>
    [...changesOf(one), ...recordsIn(one.rows)].map((part) => keyOf(one.role, part)),
  ),
  ...recordsIn(preview.operations).map((part) => keyOf(null, part)),
]

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
