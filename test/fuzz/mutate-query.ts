import type { Random } from '../admin/random.ts'

/** What a document is made of: names, numbers, strings, punctuation. */
const tokens = (query: string): readonly string[] =>
  query.match(/"(?:[^"\\]|\\.)*"|[$@]?[A-Za-z_]\w*|-?\d+(?:\.\d+)?|\.\.\.|\s+|[^\s\w]/g) ?? []

const noise: readonly string[] = [
  ...'{ } ( ) [ ] : ! $ @ ... " """ # & | = null true false asc desc_nulls_first __typename __schema fragment query mutation on f'.split(
    ' ',
  ),
  ...'_eq _in _nin _not _and _or _is_null _like _has_key _cast where order_by distinct_on limit offset path'.split(' '),
  ...'args arguments predicate filter distinct columns count first last before after id node edges cursor pageInfo'.split(
    ' ',
  ),
  ...'__type fields name includeDeprecated __proto__ constructor toString'.split(' '),
  ...'0 -1 2147483648 9223372036854775808 1e400 -0.0 1.5 "" "x" "\\u0000" "\\ud800" "🙂" [] {} [null] {_eq:1} [[1]]'.split(
    ' ',
  ),
  ...'"W10=" "WzEsICJwdWJsaWMiXQ==" "e30=" "bnVsbA==" "2024-13-45" "NaN" "infinity" "{1,2}" "00000000" "\'; SELECT 1 --" @include(if:true) @skip(if:$v0) $v0 $v9'.split(
    ' ',
  ),
  '\n',
  '\u0000',
  '\ud800',
]

const kindOf = (token: string): string => (/^\w/.test(token) ? (/^\d/.test(token) ? '0' : 'a') : token.charAt(0))

/** A query with a few of its tokens gone, doubled, moved, or taken from others; often still one that can be asked. */
export function mutateQuery(random: Random, query: string, other: string): string {
  const own = [...tokens(query)]
  const foreign = tokens(other)
  for (let i = random.chance(0.6) ? 0 : random.below(4); i >= 0; i--) {
    const at = random.below(own.length)
    const piece = random.chance(0.5) ? random.pick(noise) : random.pick(foreign)
    const alike = [...foreign, ...own].filter((token) => kindOf(token) === kindOf(own[at] ?? ''))
    switch (random.below(8)) {
      case 0:
        own.splice(at, 1)
        break
      case 1:
        own.splice(at, 0, ` ${piece} `)
        break
      case 2:
        own[at] = ` ${piece} `
        break
      case 3:
        own[at] = ` ${own[random.below(own.length)] ?? ''} `
        break
      case 4:
        own.splice(at, 0, ...own.slice(at, at + 1 + random.below(12)))
        break
      default:
        own[at] = random.pick(alike)
    }
    if (own.length === 0) break
  }
  return own.join('')
}

const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e300, '', 'x', '\u0000', '\ud800', '2024-13-45', 'NaN', '{1,2}'],
  ...[[], {}, [null], [[1]], { a: 1 }, { _eq: 1 }],
]

/** Variables of which some hold something else, are gone, or are new. */
export function mutateVariables(random: Random, variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const mutated: Record<string, unknown> = { ...variables }
  for (const name of Object.keys(mutated)) {
    if (random.chance(0.25)) mutated[name] = random.pick(values)
    else if (random.chance(0.03)) delete mutated[name]
    else if (random.chance(0.05)) mutated[name] = [mutated[name]]
  }
  if (random.chance(0.03)) mutated.v9 = random.pick(values)
  return mutated
}
