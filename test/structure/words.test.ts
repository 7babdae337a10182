import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/**
 * Tracked text (code, names, tests, docs, examples, CI) uses the words of the field (docs/glossary.md), not pictures that
 * have to be explained: left the words, right what they stood for. A name is taken apart at its capitals and underscores,
 * so `tellFailed` and `#told` are found as the words that they are.
 */
const pictures: readonly (readonly [string, string])[] = [
  ['tells?|telling|tellers?|told', 'report, log, show, say; told apart: distinguished'],
  ['hears?|heard|hearing', 'receive, is notified'],
  ['rooms?|floors?|houses?|doors?', 'module, layer, architecture, public API, or what it is the size of'],
  ['flaws?', 'resolution error'],
  ['faces?', 'GraphQL view of a table, declaration'],
  ['manners?', 'connection policy'],
  ['weigh|weighs|weighed|heavy lanes?', 'measured cost, connection for expensive statements'],
  ['let in between|lets in between|breathes?|patience|patiently', 'yields to the event loop, time limit'],
  ['let(?:s|ting)? (?:go|in)', 'closes, disconnects, releases; accepts'],
  ['go(?:es|ing)? away|went away|gone away', 'is unavailable, disconnects, is deleted'],
  ['(?:comes?|came|coming) back', 'recovers, is returned, reconnects'],
  ['(?:takes?|took|taken|taking) away', 'removes'],
  ['h[eo]ld(?:s|ing)? up', 'delays'],
  ['ha(?:s|ve) it that|as good as|waited out', 'says; counts as; reconnects with back-off'],
  ['surroundings?|situations?', 'prerequisites, context; case'],
  [
    'ropes?|ask over|keeps up|makes? anew|retarget(?:s|ed)?|unless taken',
    'what it is: pieces, a request to another source',
  ],
]

/**
 * The same for product code and pages. An actor is named: a caller, a client, a request, an engine; what has no actor
 * is said of the thing.
 */
const vague: readonly (readonly [string, string])[] = [
  ['whoever', 'a caller, a client, anyone who'],
  ['nobody|nobodys', 'no client, no caller, no one; unused, unknown'],
  ['somebody|everybody', 'another client, someone; all clients, everyone'],
  ['at one go', 'at once'],
  ['is away|are away', 'is unavailable'],
  ['gates?|worlds?', 'limit, lock, check; context, services'],
]

/** Those of them that comments and titles of tests have not either; elsewhere they are names of roles and users. */
const vagueInTests: readonly (readonly [string, string])[] = [
  ['whoever|nobody|somebody|everybody|at one go', 'a caller, no client, another client, everyone; at once'],
]

/** Words that titles of tests do not have; elsewhere they may be meant literally. */
const vagueInTitles: readonly (readonly [string, string])[] = [
  ['others|alone', 'other requests, clients, tables; only, by itself'],
  ['stays?|stayed|l(?:ies?|ay) in', 'remains; is in'],
  ['anew|heal(?:s|ed)|judged?|taken back', 'again, from scratch; corrected; checked; reverted'],
  ['look(?:s|ed)? (?:at|into|for)', 'reads, checks'],
]

/** The same again, of prose alone: in names these are verbs of their own. */
const phrases: readonly (readonly [string, string])[] = [
  ['beside(?= [a-z`])', 'next to, in addition to, during'],
  [
    'looks? (?:at|for|through|into)|looked (?:at|for|through|into)|looking (?:at|for|through|into)',
    'reads, checks, searches',
  ],
  ['(?:asks? for|asking for|is asked for|are asked for|was asked for)', 'requests'],
  ['g[ia]ves? back|given back', 'returns'],
]

/** And of pages, which people read who know none of our words. */
const vagueInPages: readonly (readonly [string, string])[] = [
  ['stays?|stayed|l(?:ies?|ay) in', 'remains; is in, belongs to'],
  ['(?:takes?|took|taken) back|judg(?:es?|ed|ing)|heal(?:s|ed)?', 'reverts; checks; corrects'],
]

/**
 * And of comments in product code, which say what returns, requests or reads what. A parameter's name is in backticks.
 */
const inComments: readonly (readonly [string, string])[] = [
  ['(?<!`)(?:gives?|gave|given|giving)(?! up)', 'returns, passes, assigns, sets; is passed'],
  ['(?<![`-])(?:asks?|asked|asking)', 'requests, queries, calls, reads'],
  ['(?<!`)(?:looks?|looked|looking)(?! up)', 'reads, compares; has the form'],
  ['anybody', 'a caller, a reader'],
]

/** What a word may stand in, since there it is a technical term, an API's name, or data: [path, text]. */
const technical: readonly (readonly [RegExp, RegExp])[] = [
  // of JavaScript and of SQL
  [/./, /Math\.floor|\bfloor\(/g],
  // a column of the queues' tables, which are there already
  [/\/(events|store|webhooks)\/|^docs\/operations\.md$/, /\bheard_at\b/g],
  // a migration is never changed
  [/store\/migrations\.ts$/, /-- (?:the instances|of what is processed|credentials beside).*/g],
  // the contract's description of a streaming root field
  [/./, /in a streaming manner/g],
  // a chat has rooms
  [/^docs\/subscriptions\.md$/, /\broom\b|X-Svc-Room/g],
  // a book
  [/^docs\/mutations\.md$/, /Rocannon's World/g],
  // names of artists and albums
  [/^examples\/music-store\/data\/words\.ts$/, /.*/g],
  // the account of the system, and an address in an example
  [/^engine\/src\/embedded\/database-user\.ts$|^docs\/getting-started\.md$/, /`nobody`|'nobody'|user nobody/g],
  [/^docs\/transforms\.md$/, /nobody@example\.com/g],
  // as released
  [/^CHANGELOG\.md$/, /\n## 0\.1\.0\n.*/gs],
  // this list
  [/^test\/structure\/words\.test\.ts$/, /.*/g],
]

/** Made by tools, or with given names in them. */
const unread =
  /^(sdk|test\/conformance)\/|package-lock\.json$|\.(gz|png|svg|ico|pem|key|crt|json|sql|snap|out|jar|zip|tgz)$/

const compiled = (list: typeof pictures): readonly (readonly [RegExp, string])[] =>
  list.map(([word, instead]) => [new RegExp(`(?<![A-Za-z])(?:${word})(?![a-z])`, 'i'), instead])

const [inProse, ofTests, ofProducts] = [compiled(phrases), compiled(vagueInTests), compiled(inComments)]
const [inTitles, inPages] = [compiled(vagueInTitles), compiled(vagueInPages)]
const [everywhere, inProducts] = [compiled(pictures), compiled([...pictures, ...vague])]

const isProduct = (path: string): boolean =>
  /^(README|CONTRIBUTING|CHANGELOG|(docs|engine|provider|schema|launcher|tools|drivers|examples|console|bench\/results)\/)/.test(
    path,
  ) && !/\.(test|fixture)\.|^(engine|provider)\/test\/|^examples\/music-store\/(data|tests)\//.test(path)

/** `tellFailed` as `tell Failed`, `heard_at` as `heard at`. */
const apart = (text: string): string => text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ')

function findPictures(path: string, text: string): readonly string[] {
  const words = isProduct(path) ? inProducts : everywhere
  const prose = isProduct(path) ? (path.endsWith('.md') ? [...inProse, ...inPages] : inProse) : []
  const comments = !/\.[jt]sx?$/.test(path) ? [] : isProduct(path) ? ofProducts : ofTests
  const rest = technical.reduce((left, [where, what]) => (where.test(path) ? left.replace(what, '') : left), text)
  const all = apart(`${path} ${rest}`)
  if (![...words, ...prose, ...comments, ...inTitles].some(([word]) => word.test(all))) return []
  return [path, ...rest.split('\n')].flatMap((line, i) => {
    const isTitle = /\btest\([`'"]/.test(line)
    const inLine = [
      ...prose,
      ...(isTitle || /^\s*(?:\/\*\*|\*|\/\/) /.test(line) ? comments : []),
      ...(isTitle ? inTitles : []),
    ]
    return [...words.filter(([word]) => word.test(apart(line))), ...inLine.filter(([word]) => word.test(line))].map(
      ([, instead]) => `${path}:${i}: ${line.trim()} (say: ${instead})`,
    )
  })
}

test('what is tracked uses the words of the field, in texts and in names', () => {
  const paths = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  const read = paths.filter((path) => path !== '' && !unread.test(path))
  assert.ok(read.length > 1500, `${read.length}`)
  assert.deepEqual(
    read.flatMap((path) => findPictures(path, readFileSync(path, 'utf8'))),
    [],
  )
})

test('a picture is found in comments, texts, names and paths', () => {
  const found = (text: string, path = 'a.ts') => findPictures(path, text).length
  assert.equal(found('/** Imports nothing of the house. */'), 1)
  assert.equal(found('throw new Flaw(text)'), 1)
  assert.equal(found("test('a mistake is told', f)"), 1)
  assert.equal(found('this.#tellFailed(toldUnknown)'), 1)
  assert.equal(found('const heard_of = isHeard'), 1)
  assert.equal(found('', 'engine/src/flaw-text.ts'), 1)
  assert.equal(found('// for whoever calls', 'engine/src/a.ts'), 1)
  assert.equal(found('// for whoever calls', 'test/a.test.ts'), 1)
  assert.equal(found('// what nobody sees', 'test/a.test.ts'), 1)
  assert.equal(found("{ role: 'nobody' }", 'test/a.test.ts'), 0)
  assert.equal(found('// gives it', 'engine/src/a.ts'), 1)
  assert.equal(found('// of `given`', 'engine/src/a.ts'), 0)
  assert.equal(found("'gives it'", 'engine/src/a.ts'), 0)
  assert.equal(found('looks.at(beside)', 'engine/src/a.ts'), 0)
  assert.equal(found('const letGo = askOver(makeAnew)'), 2)
  assert.equal(found('What lies in it stays.', 'docs/a.md'), 1)
  assert.equal(found("test('one stays, the others are judged', f)"), 3)
  assert.equal(found('// one stays, the others are judged'), 0)
  assert.equal(found('## 0.2.0\n- a door\n## 0.1.0\n- a door', 'CHANGELOG.md'), 1)
  assert.equal(found('interface Weight { faced: Storage; outdoors: string } // surface'), 0)
  assert.equal(found('Math.floor(1.5)'), 0)
})
