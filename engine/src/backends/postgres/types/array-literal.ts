/** PostgreSQL's text form of an array: `{1,NULL,"a b"}`. Every element but NULL is quoted, so none can be misread. */
export function arrayLiteral(elements: readonly (string | null)[]): string {
  const quoted = elements.map((element) =>
    element === null ? 'NULL' : `"${element.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  )
  return `{${quoted.join(',')}}`
}
