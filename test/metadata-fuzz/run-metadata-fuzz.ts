/**
 * Random operations on metadata against a plain model of it: export equals the model, inconsistent objects are those that
 * another engine finds in the same document, a dry run equals the run, what is served equals what a new start serves.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { dryRunThenReal } from '../admin/dry-run-equals-reality.ts'
import { type Random, seededRandom } from '../admin/random.ts'
import type { Answer } from '../engine.ts'
import { type RemoteServer, startRemoteServer } from '../serving/remote-server.ts'
import { bodyOf, equal, isHidden, isUnserved, mayBreak, refuseNew, visible } from './compared.ts'
import { assertSameText, type FuzzEngine, type Stored, sorted, startFuzzEngine } from './fuzz-engine.ts'
import { follow, type Member } from './judge.ts'
import { type Document, type Item, items, tidy } from './plain-document.ts'
import { randomMember, randomRequest } from './random-request.ts'
import { compareStored, giveMetadata, isInconsistent } from './reading-engine.ts'
import { randomRead } from './reads.ts'
import { broken } from './requests/requests.ts'
import { randomSql } from './sql.ts'
import { compareWithStart } from './starting-engine.ts'
import { remoteSdl } from './world.ts'

export interface FuzzOptions {
  readonly seed: number
  /** Members of bulks count. */
  readonly operations: number
  /** Requests between two starts of a new engine on the same catalogue. */
  readonly restartEvery: number
  /** Goes on after what differs, from what is there; without it that is thrown. */
  readonly onDifference?: (error: Error) => void
}

export interface Tally {
  operations: number
  requests: number
  accepted: number
  refused: number
  dryRuns: number
  restarts: number
  replaced: number
  /** Refusals by code, and of each operation how often it changed something. */
  readonly codes: Record<string, number>
  readonly changed: Record<string, number>
}

export async function runMetadataFuzz(options: FuzzOptions): Promise<Tally> {
  const remote = await startRemoteServer(remoteSdl, {})
  const [one, other] = [await startFuzzEngine(remote.url), await startFuzzEngine(remote.url)]
  const client = new pg.Client({ connectionString: one.databaseUrl })
  await client.connect()
  const fuzz = new MetadataFuzz({ one, other, remote, client, ...options })
  try {
    return await fuzz.run()
  } finally {
    await client.end()
    await Promise.all([one.stop(), other.stop(), remote.close()])
  }
}

interface Parts extends FuzzOptions {
  /** Under test. */
  readonly one: FuzzEngine
  /** Reads whole documents only. */
  readonly other: FuzzEngine
  readonly remote: RemoteServer
  readonly client: pg.Client
}

class MetadataFuzz {
  readonly #parts: Parts
  readonly #random: Random
  readonly #past: Document[] = []
  readonly #states: { cli: unknown; console: unknown } = { cli: {}, console: {} }
  readonly #tally: Tally = {
    operations: 0,
    requests: 0,
    accepted: 0,
    refused: 0,
    dryRuns: 0,
    restarts: 0,
    replaced: 0,
    codes: {},
    changed: {},
  }
  /** With what exports leave out. */
  #document: Document = {}
  #stored: Stored = { version: 0, text: '', document: {}, inconsistent: [] }

  constructor(parts: Parts) {
    this.#parts = parts
    this.#random = seededRandom(parts.seed)
  }

  async run(): Promise<Tally> {
    const { operations, restartEvery, seed, onDifference } = this.#parts
    await this.#adopt()
    const tally = this.#tally
    while (tally.operations < operations) {
      tally.requests++
      let sent: unknown = null
      try {
        await this.#step((request) => {
          sent = request
        })
        if (tally.requests % 25 === 0) await this.#replaceBySame()
        if (tally.requests % restartEvery === 0) await this.#compareWithStart()
      } catch (error) {
        const text = error instanceof Error ? error.stack : String(error)
        const difference = new Error(`seed ${seed}, request ${tally.requests}: ${text}\n${JSON.stringify(sent)}`)
        if (!onDifference) throw difference
        onDifference(difference)
        await this.#adopt()
      }
    }
    await this.#compareWithStart()
    return tally
  }

  async #step(about: (request: unknown) => void): Promise<void> {
    const roll = this.#random.next()
    if (roll < 0.05) return this.#runSql(about)
    if (roll < 0.1) return this.#read(about)
    if (roll < 0.14) return this.#broken(about)
    const request = this.#randomRequest()
    const body = bodyOf(request)
    about(body)
    const isFree = request.sent.endpoint === '/v1/metadata'
    const before = this.#stored
    let answer: Answer
    if (isFree && this.#random.chance(0.3)) {
      this.#tally.dryRuns++
      answer = (await dryRunThenReal((sent) => this.#parts.one.ask('/v1/metadata', sent), body)).real as Answer
    } else answer = await this.#parts.one.ask(request.sent.endpoint, body)
    await this.#check(request, answer, before)
  }

  async #check(request: Member, answer: Answer, before: Stored): Promise<void> {
    const after = await this.#parts.one.stored()
    this.#count(request, answer)
    const { resource_version: given } = request as { resource_version?: number }
    if (given !== undefined && given !== before.version && answer.status === 409) return this.#unchanged(after)
    assert.ok(
      given === undefined || given === before.version || answer.status !== 200,
      `a stale version was accepted: ${given}, ${before.version} before, ${after.version} after`,
    )
    const expected = await this.#expected(request, answer, after)
    if (expected === null) {
      await this.#adopt()
      return this.#compareWithOther()
    }
    assert.deepEqual(after.document, visible(expected), 'the export is not the model')
    const isChanged = !equal(expected, this.#document)
    assert.equal(after.version, before.version + (isChanged ? 1 : 0), 'versions count changes')
    if (answer.status === 200 && !mayBreak(request)) refuseNew(before.inconsistent, after.inconsistent)
    this.#document = expected
    this.#stored = after
    if (!isChanged) return
    this.#tally.changed[request.type] = (this.#tally.changed[request.type] ?? 0) + 1
    if (this.#random.chance(0.1)) this.#past.push(after.document)
    if (this.#past.length > 5) this.#past.shift()
    await this.#compareWithOther()
  }

  async #expected(request: Member, answer: Answer, after: Stored): Promise<Document | null> {
    if (request.type === 'drop_inconsistent_metadata') return this.#withoutInconsistent(answer, after)
    return follow(this.#document, request, answer, {
      inconsistent: this.#stored.inconsistent,
      isInconsistent: (document) => this.#isInconsistent(document),
    })
  }

  /** What is dropped is the engine's to know; that nothing else goes is seen in what is left. */
  #withoutInconsistent(answer: Answer, after: Stored): Document {
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(after.inconsistent, [])
    if (this.#stored.inconsistent.length === 0) return this.#document
    const hidden = items(structuredClone(this.#document), 'cron_triggers').filter(isHidden)
    const document = structuredClone(after.document)
    items(document, 'cron_triggers').push(...hidden)
    return tidy(document)
  }

  #unchanged(after: Stored): void {
    assertSameText(after.text, this.#stored.text, 'what was refused changed the export')
    assert.deepEqual({ ...after }, { ...this.#stored }, 'what was refused changed something')
  }

  #randomRequest(): Member {
    const { version } = this.#stored
    const request = randomRequest(this.#random, { document: this.#document, past: this.#past, version })
    this.#tally.operations += request.members ? request.members.length : 1
    return request
  }

  #count({ type, members }: Member, { status, body }: Answer): void {
    if (status === 200) this.#tally.accepted++
    else this.#tally.refused++
    if (status === 200) return
    const key = `${members ? type : type} ${body?.code}`
    this.#tally.codes[key] = (this.#tally.codes[key] ?? 0) + 1
  }

  /** Whatever becomes of it: no 5xx, and the engine that only reads documents agrees with the outcome. */
  async #broken(about: (request: unknown) => void): Promise<void> {
    const operation = broken(this.#random, randomMember(this.#random, this.#document, this.#past))
    about(operation)
    this.#tally.operations++
    const before = this.#stored
    const answer = await this.#parts.one.ask('/v1/metadata', operation)
    const after = await this.#parts.one.stored()
    this.#count({ ...operation, sent: { endpoint: '/v1/metadata', name: 'broken', isOtherKind: false } }, answer)
    if (answer.status !== 200) return this.#unchanged(after)
    await this.#adopt()
    if (after.version !== before.version) await this.#compareWithOther()
  }

  /** Takes what is stored for the model. */
  async #adopt(): Promise<void> {
    this.#stored = await this.#parts.one.stored()
    const hidden = await this.#hiddenTriggers()
    const document = structuredClone(this.#stored.document)
    items(document, 'cron_triggers').push(...hidden)
    this.#document = tidy(document)
  }

  /** Cron triggers that are no part of exports, as their own operation shows them. */
  async #hiddenTriggers(): Promise<readonly Item[]> {
    const { body } = await this.#parts.one.metadata('get_cron_triggers', {})
    const known = items(structuredClone(this.#document), 'cron_triggers')
    return (body.cron_triggers as Item[])
      .filter(isHidden)
      .map((one) => known.find(({ name }) => name === one.name) ?? one)
  }

  async #read(about: (request: unknown) => void): Promise<void> {
    const read = randomRead(this.#random, this.#document, this.#states)
    about(read.body)
    this.#tally.operations++
    const answer = await this.#parts.one.ask('/v1/metadata', read.body)
    read.check(answer)
    this.#unchanged(await this.#parts.one.stored())
  }

  async #runSql(about: (request: unknown) => void): Promise<void> {
    const { client, one, other } = this.#parts
    const { rows } =
      await client.query(`SELECT relname, attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE relnamespace = 'public'::regnamespace AND NOT attisdropped AND attnum > 0`)
    const has = (table: string, column: string | null) =>
      rows.some(({ relname, attname }) => relname === table && (column === null || attname === column))
    const { sql, apply } = randomSql(this.#random, has)
    const args = { sql, cascade: this.#random.chance(0.6) }
    const body = { type: this.#random.pick(['run_sql', 'pg_run_sql', 'postgres_run_sql']), args }
    about(body)
    this.#tally.operations++
    const before = this.#stored
    const expected = structuredClone(this.#document)
    apply(expected)
    tidy(expected)
    await this.#makeOtherEqual()
    const answer = await one.ask('/v2/query', body)
    const after = await one.stored()
    this.#count({ type: 'run_sql', args, sent: { endpoint: '/v1/metadata', name: '', isOtherKind: false } }, answer)
    if (answer.status !== 200) {
      const code = String(answer.body?.code)
      assert.ok(
        ['postgres-error', 'dependency-error', 'unexpected', 'not-supported', 'not-exists'].includes(code),
        answer.text,
      )
      assert.equal(after.text, before.text)
      assert.equal(after.version, before.version)
      return
    }
    const repeated = await other.ask('/v2/query', body)
    assert.deepEqual(after.document, visible(expected), 'SQL made something else of the metadata')
    assert.equal(repeated.status, 200, repeated.text)
    assertSameText((await other.stored()).text, after.text, 'the same SQL elsewhere')
    const isChanged = !equal(expected, this.#document)
    assert.equal(after.version, before.version + (isChanged ? 1 : 0), 'versions count changes')
    this.#document = expected
    this.#stored = after
    if (isChanged) this.#tally.changed.run_sql = (this.#tally.changed.run_sql ?? 0) + 1
    await this.#compareWithOther()
  }

  #makeOtherEqual = () => giveMetadata(this.#parts.other, this.#stored.document)
  #isInconsistent = (document: Document) => isInconsistent(this.#parts.other, document)
  #compareWithOther = () => compareStored(this.#parts.other, this.#stored)

  /** An export put back is no change, and nothing is resolved again. */
  async #replaceBySame(): Promise<void> {
    const { one } = this.#parts
    this.#tally.replaced++
    const hidden = items(structuredClone(this.#document), 'cron_triggers').some(isHidden)
    const lines = one.engine.log.length
    const args = { allow_inconsistent_metadata: true, metadata: this.#stored.document }
    const answer = await one.metadata('replace_metadata', args, { version: 2 })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(sorted(answer.body.inconsistent_objects), this.#stored.inconsistent.filter(isUnserved))
    this.#unchanged(await one.stored())
    await one.metadata('bulk', [])
    await one.engine.observed('bulk-started', ({ members }) => members === 0)
    const rebuilt = one.engine.log.slice(lines).filter((line) => /"kind":"model-updated","rebuilt":[1-9]/.test(line))
    assert.deepEqual(rebuilt, [], `nothing is built again (hidden triggers: ${hidden})`)
  }

  async #compareWithStart(): Promise<void> {
    this.#tally.restarts++
    await compareWithStart(this.#parts.one, this.#stored)
  }
}
