/** Each rule speaks of what it is about, and is silent about what is right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, readMetadata } from '@svc/schema'
import { advise, type RuleName } from './advise.ts'
import { readSilence } from './silence.ts'
import { foreignKeyText, type SourceFacts, type TableFacts } from './source-facts.ts'

const columns = {
  id: 'integer',
  author: 'text',
  title: 'text',
  is_public: 'boolean',
  password_hash: 'text',
  tokens: 'text',
}

const article: TableFacts = {
  rows: 5_000_000,
  isTable: true,
  types: new Map(Object.entries(columns)),
  indexed: new Set(['id']),
  references: new Map(),
}

const factsWith = (changes: Partial<TableFacts> = {}): SourceFacts =>
  new Map([['default', new Map([['public.article', { ...article, ...changes }]])]])

const table = (parts: JsonObject): JsonObject => ({
  sources: [
    {
      name: 'default',
      kind: 'postgres',
      configuration: { connection_info: { database_url: 'postgres://db' } },
      tables: [{ table: 'article', ...parts }],
    },
  ],
})

const select = (permission: JsonObject, role = 'author'): JsonObject => ({
  role,
  permission: { columns: ['id'], filter: {}, limit: 10, ...permission },
})

const selects = (permission: JsonObject) => table({ select_permissions: [select(permission)] })

const updates = (permission: JsonObject) =>
  table({ update_permissions: [{ role: 'author', permission: { columns: ['title'], ...permission } }] })

const inherited = (...permissions: readonly JsonObject[]): JsonObject => ({
  ...table({ select_permissions: permissions }),
  inherited_roles: [{ role_name: 'both', role_set: ['author', 'editor'] }],
})

const webhook = (url: string): JsonObject =>
  table({
    event_triggers: [
      {
        name: 'changed',
        definition: { enable_manual: false, insert: { columns: '*' } },
        retry_conf: { num_retries: 0, interval_sec: 1, timeout_sec: 1 },
        webhook: url,
      },
    ],
  })

const handler = (url: string): JsonObject => ({
  actions: [{ name: 'pay', definition: { handler: url, output_type: 'String', arguments: [], type: 'query' } }],
})

const related = (mapping: JsonObject) =>
  table({
    array_relationships: [
      { name: 'others', using: { manual_configuration: { remote_table: 'article', column_mapping: mapping } } },
    ],
  })

/** An article has comments, and a comment an article. */
const discussed = (filter: JsonObject, onComments: JsonObject = { filter: {} }): JsonObject => ({
  sources: [
    {
      name: 'default',
      kind: 'postgres',
      configuration: { connection_info: { database_url: 'postgres://db' } },
      tables: [
        {
          table: 'article',
          array_relationships: [
            { name: 'comments', using: { foreign_key_constraint_on: { table: 'comment', column: 'article_id' } } },
          ],
          select_permissions: [select({ filter })],
        },
        {
          table: 'comment',
          object_relationships: [{ name: 'article', using: { foreign_key_constraint_on: 'article_id' } }],
          select_permissions: [select(onComments)],
        },
      ],
    },
  ],
})

const commentFacts = (indexed: readonly string[], ofArticle: Partial<TableFacts> = {}): SourceFacts => {
  const comment: TableFacts = {
    rows: 5_000_000,
    isTable: true,
    types: new Map(Object.entries({ id: 'integer', article_id: 'integer', writer: 'text', stars: 'integer' })),
    indexed: new Set(indexed),
    references: new Map([[foreignKeyText(['article_id']), { schema: 'public', name: 'article' }]]),
  }
  const tables = { 'public.article': { ...article, ...ofArticle }, 'public.comment': comment }
  return new Map([['default', new Map(Object.entries(tables))]])
}

/** An article that its reader has said something to. */
const counted = (): JsonObject => ({
  comments_aggregate: { count: { predicate: { _gt: 0 }, filter: { writer: { _eq: 'X-Svc-User-Id' } } } },
})

const mine = { author: { _eq: 'X-Svc-User-Id' } }
const indexed = factsWith({ indexed: new Set(['id', 'author']) })

interface Case {
  readonly metadata: JsonObject
  readonly facts?: SourceFacts
}

const cases: Readonly<Record<RuleName, { readonly speaks: readonly Case[]; readonly silent: readonly Case[] }>> = {
  'no-row-limit': {
    speaks: [{ metadata: selects({ limit: null }) }],
    silent: [
      { metadata: selects({}) },
      { metadata: selects({ limit: null }), facts: factsWith({ rows: 500 }) },
      { metadata: selects({ limit: null }), facts: factsWith({ rows: null }) },
    ],
  },
  'secret-column': {
    speaks: [
      { metadata: selects({ columns: ['password_hash'] }) },
      { metadata: selects({ columns: '*' }) },
      { metadata: selects({ columns: ['resetToken'] }) },
    ],
    silent: [{ metadata: selects({ columns: ['title', 'pinned', 'salted_caramel', 'tokenizer'] }) }],
  },
  'update-without-check': {
    speaks: [{ metadata: updates({ filter: mine, check: null }), facts: indexed }],
    silent: [
      { metadata: updates({ filter: mine, check: mine }), facts: indexed },
      { metadata: updates({ filter: mine, check: {} }), facts: indexed },
      { metadata: updates({ filter: {}, check: null }) },
    ],
  },
  'missing-index': {
    speaks: [
      { metadata: selects({ filter: mine }) },
      { metadata: selects({ filter: { _or: [{ is_public: { _eq: true } }, mine] } }) },
      { metadata: selects({ filter: mine }), facts: factsWith({ rows: null }) },
      { metadata: related({ id: 'author' }) },
      { metadata: discussed({}), facts: commentFacts(['id']) },
      { metadata: discussed({ comments: { writer: { _eq: 'ann' } } }), facts: commentFacts(['article_id']) },
      { metadata: discussed({}, { filter: { article: mine } }), facts: commentFacts(['article_id']) },
      {
        metadata: discussed({ _exists: { _table: 'comment', _where: { writer: { _eq: 'X-Svc-User-Id' } } } }),
        facts: commentFacts(['article_id']),
      },
      { metadata: selects({ filter: { _not: { author: { _neq: 'X-Svc-User-Id' } } } }) },
      { metadata: selects({ filter: { _not: { _not: mine } } }) },
      { metadata: selects({ filter: { author: 'X-Svc-User-Id' } }) },
      { metadata: discussed({ _not: { comments: { writer: { _eq: 'ann' } } } }), facts: commentFacts(['article_id']) },
      { metadata: discussed(counted()), facts: commentFacts(['writer']) },
      { metadata: discussed(counted()), facts: commentFacts(['article_id']) },
    ],
    silent: [
      { metadata: selects({ filter: mine }), facts: indexed },
      { metadata: selects({ filter: { _not: mine } }) },
      { metadata: selects({ filter: { _not: { author: 'ann' } } }) },
      { metadata: discussed({ _not: { comments: { stars: { _neq: 1 } } } }), facts: commentFacts(['article_id']) },
      { metadata: discussed(counted()), facts: commentFacts(['article_id', 'writer']) },
      { metadata: selects({ filter: { is_public: { _eq: true } } }) },
      { metadata: selects({ filter: { author: { _neq: 'ann' } } }) },
      { metadata: selects({ filter: mine }), facts: factsWith({ rows: 999 }) },
      { metadata: selects({ filter: mine }), facts: factsWith({ isTable: false }) },
      { metadata: related({ author: 'id' }) },
      {
        metadata: discussed({ comments: { writer: { _eq: 'ann' } } }, { filter: { article: mine } }),
        facts: commentFacts(['article_id', 'writer'], { indexed: new Set(['id', 'author']) }),
      },
      {
        metadata: discussed({ _exists: { _table: 'comment', _where: { writer: { _eq: 'X-Svc-User-Id' } } } }),
        facts: commentFacts(['article_id', 'writer']),
      },
      { metadata: discussed({ comments: { stars: { _neq: 1 } } }), facts: commentFacts(['article_id']) },
    ],
  },
  'inherits-more': {
    speaks: [
      { metadata: inherited(select({ columns: ['id', 'title'] }), select({ columns: ['id', 'author'] }, 'editor')) },
    ],
    silent: [
      { metadata: inherited(select({ columns: ['id'] }), select({ columns: ['id', 'author'] }, 'editor')) },
      { metadata: inherited(select({ columns: ['id', 'title'] }), select({ columns: ['author'] }, 'other')) },
    ],
  },
  'plain-http': {
    speaks: [{ metadata: webhook('http://example.com/hook') }, { metadata: handler('HTTP://example.com') }],
    silent: [
      { metadata: webhook('https://example.com/hook') },
      { metadata: webhook('http://localhost:3000/hook') },
      { metadata: handler('{{PAYMENTS_URL}}/pay') },
    ],
  },
}

function adviceOn({ metadata, facts = factsWith() }: Case, silence = '') {
  const read = readMetadata({ version: 3, sources: [], ...metadata })
  if (!read.ok || read.version !== 3) throw new Error(JSON.stringify(read))
  return advise(read.document, facts, silence === '' ? [] : readSilence(silence, 'advice.yaml'))
}

for (const [rule, { speaks, silent }] of Object.entries(cases)) {
  test(`${rule} speaks of what it is about`, () => {
    for (const one of speaks)
      assert.ok(
        adviceOn(one).some((advice) => advice.rule === rule),
        JSON.stringify(one.metadata),
      )
  })
  test(`${rule} is silent about what is right`, () => {
    for (const one of silent) assert.deepEqual(adviceOn(one), [], JSON.stringify(one.metadata))
  })
}

test('a missing index comes with the statement that makes it', () => {
  const [advice] = adviceOn({ metadata: selects({ filter: mine }) })
  assert.equal(advice?.object, 'select_permission author in table article in source default')
  assert.equal(advice?.remedy, 'CREATE INDEX ON public.article (author);')
})

test('advice is silenced by rule or by rule and object, with a reason', () => {
  const one = { metadata: selects({ filter: mine }) }
  const object = 'select_permission author in table article in source default'
  const silenced = (text: string) => adviceOn(one, text).map((advice) => advice.silenced)
  assert.deepEqual(silenced('silence: [{ rule: missing-index, reason: it is small }]'), ['it is small'])
  assert.deepEqual(silenced(`silence: [{ rule: missing-index, object: ${object}, reason: it is small }]`), [
    'it is small',
  ])
  assert.deepEqual(silenced('silence: [{ rule: missing-index, object: another, reason: it is small }]'), [null])
  assert.throws(() => silenced('silence: [{ rule: missing-index, reason: " " }]'), /a reason is needed/)
  assert.throws(() => silenced('silence: [{ rule: missing-index }]'), /advice.yaml: silence.0.reason/)
})

test('advice on a filter through relationships and _exists names each index that is missing once, and its table', () => {
  const filter = {
    _or: [
      { comments: { writer: { _eq: 'ann' } } },
      { comments: { article: { comments: { writer: { _eq: 'bob' } }, author: { _eq: 'ann' } } } },
      { _exists: { _table: { schema: 'public', name: 'comment' }, _where: { stars: { _gt: 3 } } } },
    ],
  }
  const found = adviceOn({ metadata: discussed(filter), facts: commentFacts(['id']) })
  assert.deepEqual(
    found.map(({ object, message, remedy }) => [object.split(' in ')[0], message, remedy]),
    [
      [
        'array_relation comments',
        'the relationship looks up public.comment.article_id, which no index begins with',
        'CREATE INDEX ON public.comment (article_id);',
      ],
      [
        'select_permission author',
        'the filter looks up public.comment.article_id, which no index begins with',
        'CREATE INDEX ON public.comment (article_id);',
      ],
      [
        'select_permission author',
        'the filter compares public.comment.writer, which no index begins with',
        'CREATE INDEX ON public.comment (writer);',
      ],
      [
        'select_permission author',
        'the filter compares public.article.author, which no index begins with',
        'CREATE INDEX ON public.article (author);',
      ],
      [
        'select_permission author',
        'the filter compares public.comment.stars, which no index begins with',
        'CREATE INDEX ON public.comment (stars);',
      ],
    ],
  )
})
