/**
 * A draft is what an apply makes, and a preview says what that means: for generated changes the introspection and the answers of
 * a draft are those after its apply, the preview's changes of each role's schema are those of graphql-js, and the stored
 * operations it names are those that break when they are run again.
 */
import assert from 'node:assert/strict'
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, getNamedType, isLeafType } from 'graphql'
import { changesOf } from '../../engine/test/introspected-changes.ts'
import type { Answer, RequestHeaders } from '../engine.ts'
import type { Random } from './random.ts'
import type { RandomRequest } from './random-operations.ts'

export interface DraftedStore {
  readonly roles: readonly string[]
  /** Values for whatever filters ask for. */
  readonly session: Readonly<Record<string, string>>
  post(path: string, body: unknown, headers?: RequestHeaders): Promise<Answer>
  change(random: Random): RandomRequest
}

export interface DraftTally {
  drafted: number
  refused: number
  unchanged: number
  /** Of sources that are not connected before the apply. */
  notServed: number
  answers: number
  broken: number
}

const introspection = { query: getIntrospectionQuery({ descriptions: false }) }

export async function checkDrafts(store: DraftedStore, random: Random, count: number): Promise<DraftTally> {
  const tally: DraftTally = { drafted: 0, refused: 0, unchanged: 0, notServed: 0, answers: 0, broken: 0 }
  const reads = new Reads(store)
  let before = await reads.schemas({})
  const stored = new Map<string, string>()
  const metadata = (type: string, args: unknown, more: object = {}) =>
    store.post('/v1/metadata', { type, args, ...more })
  while (tally.drafted < count) {
    const change = store.change(random)
    if (stored.size > 0 && (change.type === 'clear_metadata' || change.type === 'replace_metadata')) stored.clear()
    const queries = queriesOf(before, random)
    for (const query of queries.slice(0, 2)) await keep(metadata, stored, query)
    const valid = await reads.valid([...stored.values()], {})
    const { status, body, text } = await store.post('/v1/metadata', {
      ...change,
      dry_run: { draft: true, preview: true },
    })
    if (status !== 200 || !body.draft) {
      if (/nothing would change/.test(text)) tally.unchanged++
      else tally.refused++
      assert.ok(status === 400 || status === 200 || status === 409, text)
      continue
    }
    tally.drafted++
    const where = `change ${tally.drafted}: ${JSON.stringify(change)}`
    const through = { 'x-svc-draft': body.draft.key }
    const isServed = body.draft.not_served === undefined
    if (!isServed) tally.notServed++
    const drafted = isServed ? await reads.schemas(through) : null
    const asked = drafted ? queriesOf(drafted, random) : []
    const answers = await reads.answers(asked, through)
    const applied = await metadata('apply_draft', { hash: body.draft.hash })
    assert.equal(applied.status, 200, `${where}: ${applied.text}`)
    const after = await reads.schemas({})
    assert.deepEqual(await reads.answers(asked, {}), answers, where)
    tally.answers += asked.length * store.roles.length
    for (const role of store.roles) {
      const [old, now] = [before.get(role), after.get(role)]
      assert.ok(old && now)
      if (drafted) assert.equal(drafted.get(role)?.text, now.text, `${where}: ${role}`)
      const expected = old.schema === now.schema ? [] : changesOf(old.schema, now.schema)
      assert.deepEqual(previewed(body.preview, role), expected, `${where}: ${role}`)
    }
    const still = await reads.valid([...stored.values()], {})
    const declared = await declaredQueries(metadata)
    const broken = [...stored]
      .filter(([name]) => declared.has(name))
      .flatMap(([name, query]) =>
        store.roles.flatMap((role) => {
          const key = `${role} ${query}`
          return valid.has(key) && !still.has(key) ? [`${name} ${role}`] : []
        }),
      )
    const named = (body.preview.operations as readonly { query: string; role: string }[]).map(
      ({ query, role }) => `${query} ${role}`,
    )
    assert.deepEqual(named.sort(), broken.sort(), where)
    tally.broken += broken.length
    for (const name of [...stored.keys()]) if (!declared.has(name)) stored.delete(name)
    before = after
  }
  return tally
}

type Metadata = (type: string, args: unknown, more?: object) => Promise<Answer>

/** At most 12 stored operations at a time. */
async function keep(metadata: Metadata, stored: Map<string, string>, query: string): Promise<void> {
  if (stored.size >= 12 || [...stored.values()].includes(query)) return
  const name = `Q${stored.size}_${query.length}`
  if (stored.has(name)) return
  await metadata('create_query_collection', { name: 'kept', definition: { queries: [] } })
  const added = await metadata('add_query_to_collection', { collection_name: 'kept', query_name: name, query })
  if (added.status === 200) stored.set(name, query)
}

async function declaredQueries(metadata: Metadata): Promise<ReadonlySet<string>> {
  const { body } = await metadata('export_metadata', {})
  const collections: readonly { definition: { queries: readonly { name: string }[] } }[] = body.query_collections ?? []
  return new Set(collections.flatMap(({ definition }) => definition.queries.map(({ name }) => name)))
}

function previewed(preview: { readonly roles: readonly PreviewedRole[] }, role: string): readonly string[] {
  const found = preview.roles.find((one) => one.role === role)?.schema
  assert.equal(found?.not_listed, undefined)
  return (found?.changes ?? []).map(({ change, description }) => `${change} ${description}`).sort()
}

interface PreviewedRole {
  readonly role: string
  readonly schema: {
    readonly changes: readonly { readonly change: string; readonly description: string }[]
    readonly not_listed?: number
  }
}

interface Introspected {
  readonly text: string
  readonly schema: GraphQLSchema
}

type Schemas = ReadonlyMap<string, Introspected>

class Reads {
  readonly #store: DraftedStore
  readonly #built = new Map<string, GraphQLSchema>()

  constructor(store: DraftedStore) {
    this.#store = store
  }

  async schemas(headers: RequestHeaders): Promise<Schemas> {
    const found = new Map<string, Introspected>()
    for (const role of this.#store.roles) {
      const { text, body } = await this.#ask(introspection, role, headers)
      assert.ok(body.data, text)
      const schema = this.#built.get(text) ?? buildClientSchema(body.data, { assumeValid: true })
      if (this.#built.size > 200) this.#built.clear()
      this.#built.set(text, schema)
      found.set(role, { text, schema })
    }
    return found
  }

  /** Of each query, for each role. */
  async answers(queries: readonly string[], headers: RequestHeaders): Promise<readonly string[]> {
    const texts: string[] = []
    for (const query of queries)
      for (const role of this.#store.roles) texts.push((await this.#ask({ query }, role, headers)).text)
    return texts
  }

  /** Roles and the queries that are valid for them. */
  async valid(queries: readonly string[], headers: RequestHeaders): Promise<ReadonlySet<string>> {
    const valid = new Set<string>()
    for (const query of queries)
      for (const role of this.#store.roles) {
        const { body } = await this.#ask({ query }, role, headers)
        if (body.errors?.[0]?.extensions?.code !== 'validation-failed') valid.add(`${role} ${query}`)
      }
    return valid
  }

  #ask(body: object, role: string, headers: RequestHeaders): Promise<Answer> {
    return this.#store.post('/v1/graphql', body, { ...this.#store.session, 'x-svc-role': role, ...headers })
  }
}

/** A query or two of each of some roles: root fields with their columns, and relationships one level deep. */
function queriesOf(schemas: Schemas, random: Random): readonly string[] {
  const queries = new Set<string>()
  for (const { schema } of schemas.values()) {
    const roots = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
      ({ name, args }) => !/_by_pk$|no_queries/.test(name) && args.every(({ type }) => !String(type).endsWith('!')),
    )
    if (roots.length === 0) continue
    const { name, type } = random.pick(roots)
    const selected = selection(getNamedType(type), random, 2)
    if (selected !== '') queries.add(`query Q { ${name} ${selected} }`)
  }
  return [...queries]
}

function selection(type: unknown, random: Random, depth: number): string {
  if (typeof type !== 'object' || type === null || !('getFields' in type)) return ''
  const fields = Object.values((type as { getFields(): Record<string, FieldOf> }).getFields())
  const parts = fields.flatMap(({ name, type: of, args }) => {
    if (args.some((argument) => String(argument.type).endsWith('!')) || random.chance(0.3)) return []
    const named = getNamedType(of as Parameters<typeof getNamedType>[0])
    if (isLeafType(named)) return [name]
    const inner = depth > 0 && random.chance(0.4) ? selection(named, random, depth - 1) : ''
    return inner === '' ? [] : [`${name} ${inner}`]
  })
  return parts.length > 0 ? `{ ${parts.join(' ')} }` : ''
}

interface FieldOf {
  readonly name: string
  readonly type: unknown
  readonly args: readonly { readonly type: unknown }[]
}
