import { isRecord, type Json, type JsonObject, recordsIn, textsIn } from '@svc/schema'

/** How a preview (docs/preview.md) is shown to people: as lines of a terminal, or as Markdown for a comment. */
export type PreviewStyle = 'text' | 'markdown'

/** Changes of one role's schema that are shown; the rest are counted. */
const mostShown = 50

/** Prints what a change means, one section a role, then the operations that break. */
export function previewText(preview: JsonObject, style: PreviewStyle, now = Date.now()): string {
  const days = isRecord(preview.usage) ? Number(preview.usage.days) : 0
  const shown = { style, days, now }
  const roles = recordsIn(preview.roles)
  const operations = recordsIn(preview.operations)
  const sections = [
    ...roles.map((role) => section(`Role ${code(String(role.role), style)}`, roleLines(role, shown), style)),
    ...(operations.length > 0
      ? [
          section(
            'Stored operations that break',
            operations.map((one) => operationLine(one, style)),
            style,
          ),
        ]
      : []),
  ]
  return sections.length > 0 ? sections.join('\n\n') : 'Nothing changes in the API.'
}

function section(title: string, lines: readonly string[], style: PreviewStyle): string {
  return style === 'markdown'
    ? `### ${title}\n\n${lines.map((line) => (line.startsWith('  ') ? `  - ${line.trimStart()}` : `- ${line}`)).join('\n')}`
    : `${title}\n${lines.map((line) => `  ${line}`).join('\n')}`
}

const code = (text: string, style: PreviewStyle): string => (style === 'markdown' ? `\`${text}\`` : text)

interface Shown {
  readonly style: PreviewStyle
  /** That usage is of. */
  readonly days: number
  readonly now: number
}

function roleLines(role: JsonObject, shown: Shown): readonly string[] {
  return [
    ...schemaLines(role.schema, '', shown),
    ...schemaLines(role.backend, 'for backends, ', shown),
    ...recordsIn(role.rows).map((change) => rowLine(change, shown.style)),
  ]
}

function schemaLines(schema: Json | undefined, prefix: string, given: Shown): readonly string[] {
  const { style } = given
  if (!isRecord(schema)) return []
  const changes = recordsIn(schema.changes)
  const shown = changes.slice(0, mostShown)
  const left = changes.length - shown.length + Number(schema.not_listed ?? 0)
  const lines = shown.flatMap(({ severity, description, used, used_not_listed }) => {
    const mark = severity === 'safe' ? '' : `${style === 'markdown' ? `**${severity}**` : severity}: `
    const more = Number(used_not_listed ?? 0)
    return [
      `${prefix}${mark}${description}`,
      ...recordsIn(used).map((one) => `  ${usedLine(one, given)}`),
      ...(more > 0 ? [`  used by ${more} operations more`] : []),
    ]
  })
  return left > 0 ? [...lines, `${prefix}${left} changes more`] : lines
}

/** `used by RecentInvoices 1,203 times in 7 days, last today` */
function usedLine({ operation, hash, count, last, certain }: JsonObject, { style, days, now }: Shown): string {
  const name =
    operation ?? (hash === null ? 'other operations' : `an operation without a name (${String(hash).slice(0, 12)})`)
  const shown = operation === null ? String(name) : code(String(name), style)
  const times = Number(count) === 1 ? 'once' : `${Number(count).toLocaleString('en')} times`
  const by = certain === true ? 'used by' : 'perhaps used by'
  return `${by} ${shown} ${times} in ${days} days, last ${dayOf(String(last), now)}`
}

const dayMilliseconds = 86_400_000

function dayOf(time: string, now: number): string {
  const ago = Math.floor(now / dayMilliseconds) - Math.floor(Date.parse(time) / dayMilliseconds)
  return ago <= 0 ? 'today' : ago === 1 ? 'yesterday' : `${ago} days ago`
}

function rowLine(change: JsonObject, style: PreviewStyle): string {
  const { permission, part, source } = change
  const table = isRecord(change.table) ? `${change.table.schema}.${change.table.name}` : ''
  const of = `${code(table, style)} in source ${code(String(source), style)}`
  const columns = textsIn(change.columns)
  const about = columns.length > 0 ? ` (${columns.join(', ')})` : ''
  const limit = part === 'limit' ? ` (${rowsOf(change.before)} to ${rowsOf(change.after)})` : ''
  const needs = textsIn(change.needs)
  const needed = needs.length > 0 ? `; it needs ${needs.join(', ')}` : ''
  const what = part === 'permission' ? `permission ${change.change}` : `${part}${about} ${change.change}${limit}`
  return `${permission} on ${of}: ${what}${needed}`
}

const rowsOf = (limit: Json | undefined): string => (typeof limit === 'number' ? String(limit) : 'no limit')

function operationLine(operation: JsonObject, style: PreviewStyle): string {
  const { collection, query, role } = operation
  const endpoints = textsIn(operation.rest_endpoints)
  const used = endpoints.length > 0 ? ` (REST: ${endpoints.join(', ')})` : ''
  const name = code(`${collection}.${query}`, style)
  return `${name}${used} for role ${code(String(role), style)}: ${textsIn(operation.reasons).join('; ')}`
}
