/** Rows of texts as lines whose columns begin below each other. */
export function table(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map((text) => text.replaceAll('\n', ' ')))
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
