import type { Paint } from '../core/index.ts'
import type { Coverage, TestResult } from '../permission-tests/index.ts'

/** A result as lines for people: its name, and the difference where it failed. */
export function testLines({ name, outcome, reason: why, milliseconds }: TestResult, paint: Paint): readonly string[] {
  switch (outcome) {
    case 'passed':
      return [`  ${paint.good('ok')}       ${name} ${paint.faint(`${milliseconds} ms`)}`]
    case 'skipped':
      return [`  ${paint.faint('skipped')}  ${name}: ${why}`]
    case 'failed':
      return [
        `  ${paint.bad('failed')}   ${name}`,
        ...why.split('\n').map((line) => `      ${paintDifference(line, paint)}`),
      ]
  }
}

function paintDifference(line: string, paint: Paint): string {
  if (line.startsWith('-')) return paint.good(line)
  return line.startsWith('+') ? paint.bad(line) : line
}

/** What no test went by, a line for each role and what the permission is for. */
export function coverageLines({ declared, unused }: Coverage): readonly string[] {
  if (unused.length === 0) return [`all ${declared} permissions are used by tests`]
  const rows = new Map<string, readonly string[]>()
  for (const { role, source = 'default', table, permission = '', ...others } of unused) {
    // that of a table needs no word for what it is, and has four
    const [[kind = '', name = ''] = []] = Object.entries(others)
    const prefix = [...(table ? [] : [kind.replaceAll('_', ' ')]), ...(source === 'default' ? [] : [source])]
    const row = `  ${role}: ${[...prefix, table ?? name].join(' ')}`
    rows.set(row, [...(rows.get(row) ?? []), ...(table ? [permission] : [])])
  }
  const lines = [...rows].map(([row, permissions]) =>
    permissions.length > 0 ? `${row}: ${permissions.join(', ')}` : row,
  )
  return [`${unused.length} of ${declared} permissions are used by no test:`, ...lines]
}
