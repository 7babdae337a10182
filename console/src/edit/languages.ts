import { StreamLanguage } from '@codemirror/language'

/** A kind of token, as highlighting calls it, and its style. */
type Rule = readonly [look: RegExp, style: string | null]

const graphqlRules: readonly Rule[] = [
  [/^#.*/, 'comment'],
  [/^"(?:\\.|[^"\\])*"?/, 'string'],
  [/^(?:query|mutation|subscription|fragment|on)\b/, 'keyword'],
  [/^(?:true|false|null)\b/, 'atom'],
  [/^-?\d[\d.eE+-]*/, 'number'],
  [/^\$\w+/, 'variableName'],
  [/^@\w+/, 'keyword'],
  [/^[A-Za-z_]\w*/, 'propertyName'],
]

const jsonRules: readonly Rule[] = [
  [/^"(?:\\.|[^"\\])*"(?=\s*:)/, 'propertyName'],
  [/^"(?:\\.|[^"\\])*"?/, 'string'],
  [/^(?:true|false|null)\b/, 'atom'],
  [/^-?\d[\d.eE+-]*/, 'number'],
]

const comments = { graphql: { line: '#' }, json: {} } as const

/** A language by its tokens: they are coloured, and brackets indent. */
function languageOf(name: keyof typeof comments, rules: readonly Rule[]) {
  return StreamLanguage.define<{ depth: number; isInBlock: boolean }>({
    name,
    startState: () => ({ depth: 0, isInBlock: false }),
    copyState: (state) => ({ ...state }),
    token(stream, state) {
      if (state.isInBlock || (name === 'graphql' && stream.match('"""'))) {
        // texts of several lines end where three quotes stand that are not escaped
        state.isInBlock = !stream.match(/^(?:\\"""|.)*?"""/)
        if (state.isInBlock) stream.skipToEnd()
        return 'string'
      }
      if (stream.eatSpace()) return null
      for (const [look, style] of rules) if (stream.match(look)) return style
      const character = stream.next() ?? ''
      if ('{[('.includes(character)) state.depth++
      else if ('}])'.includes(character)) state.depth = Math.max(0, state.depth - 1)
      return 'punctuation'
    },
    indent: ({ depth }, after, { unit }) => (depth - (/^[}\])]/.test(after) ? 1 : 0)) * unit,
    languageData: { commentTokens: comments[name], closeBrackets: { brackets: ['(', '[', '{', '"'] } },
  })
}

export const graphqlLanguage = languageOf('graphql', graphqlRules)
export const jsonLanguage = languageOf('json', jsonRules)
