/** A piece of SQL, or the name of an argument that stands there. */
export type CodePart =
  | { readonly kind: 'sql'; readonly text: string }
  | { readonly kind: 'argument'; readonly name: string }

export type ParsedCode =
  | { readonly ok: true; readonly parts: readonly CodePart[] }
  | { readonly ok: false; readonly message: string }

/**
 * A native query's SQL with its `{{arguments}}` (reference/database-objects#native-queries). Braces that no name
 * follows are SQL, as in `'{{1,2}}'`; a name that is not closed is a mistake.
 */
export function parseNativeQueryCode(code: string): ParsedCode {
  const open = /\{\{\s*[A-Za-z_]/g
  const argument = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/y
  const parts: CodePart[] = []
  let from = 0
  for (;;) {
    const at = open.exec(code)
    if (!at) break
    argument.lastIndex = at.index
    const [whole, name] = argument.exec(code) ?? []
    if (whole === undefined || name === undefined)
      return { ok: false, message: `the argument at "${code.slice(at.index, at.index + 30)}" is not closed by "}}"` }
    if (at.index > from) parts.push({ kind: 'sql', text: code.slice(from, at.index) })
    parts.push({ kind: 'argument', name })
    from = at.index + whole.length
    open.lastIndex = from
  }
  if (from < code.length) parts.push({ kind: 'sql', text: code.slice(from) })
  return { ok: true, parts }
}
