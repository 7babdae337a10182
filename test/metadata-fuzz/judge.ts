/** What the oracle makes of requests and of the engine's answers to them. */
import assert from 'node:assert/strict'
import type { Answer } from '../engine.ts'
import { type Document, type Item, isItem, tidy } from './plain-document.ts'
import type { Operation, Sent } from './requests/requests.ts'
import { consistencyCodes, Refusal, Uncertain } from './rule.ts'
import { rules } from './rules/rules.ts'

export interface FuzzedEngine {
  readonly inconsistent: readonly Item[]
  /** Whether a document holds anything inconsistent, as another engine says. */
  isInconsistent(document: Document): Promise<boolean>
}

export interface Member extends Operation {
  readonly sent: Sent
  /** Of a bulk inside the bulk. */
  readonly members?: readonly Member[]
}

type Prediction =
  | { readonly kind: 'refused'; readonly codes: readonly string[] }
  | { readonly kind: 'made'; readonly document: Document; readonly may: readonly string[] }

export function predict(
  document: Document,
  { type, args }: Operation,
  {
    answer = null,
    atomic = false,
    inconsistent = [],
  }: { answer?: unknown; atomic?: boolean; inconsistent?: readonly Item[] } = {},
): Prediction {
  const copy = structuredClone(document)
  const codes: string[] = []
  const rule = rules[type]
  assert.ok(rule, `no rule for ${type}`)
  try {
    rule(copy, args as Item, { may: (...more) => void codes.push(...more), answer, atomic, inconsistent })
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', codes: error.codes }
    throw error
  }
  return { kind: 'made', document: tidy(copy), may: codes }
}

/** Names of kinds that a source is not of, and operations that they lack. */
const otherKind = ['not-exists', 'parse-failed', 'not-supported']

/** One operation: the document after it. Throws where answer and oracle differ. */
async function followOne(
  document: Document,
  member: Member,
  answer: { readonly ok: boolean; readonly body: unknown },
  around: FuzzedEngine,
): Promise<Document> {
  const { type, sent } = member
  const code = isItem(answer.body) ? String(answer.body.code) : ''
  const said = isItem(answer.body) ? `${code}: ${answer.body.error}` : ''
  if (type === 'drop_inconsistent_metadata') return document
  if (sent.endpoint === '/v1/query' && /^unknown metadata command|is not served/.test(said.slice(code.length + 2)))
    return document
  const inconsistent = around.inconsistent
  const prediction = predict(document, member, { answer: answer.ok ? answer.body : null, inconsistent })
  if (sent.isOtherKind) {
    assert.ok(
      !answer.ok && [...otherKind, ...(prediction.kind === 'refused' ? prediction.codes : [])].includes(code),
      `another kind: ${said}`,
    )
    return document
  }
  if (prediction.kind === 'refused') {
    assert.ok(!answer.ok, `${type} should be refused with ${prediction.codes.join(' or ')}`)
    assert.ok(
      prediction.codes.includes(code),
      `${type} should be refused with ${prediction.codes.join(' or ')}, not ${said}`,
    )
    return document
  }
  if (answer.ok) return prediction.document
  if (prediction.may.includes(code)) return document
  assert.ok(consistencyCodes.has(code), `${type} should not be refused: ${said}`)
  assert.ok(
    await around.isInconsistent(prediction.document),
    `${type} was refused although its document is consistent: ${said}`,
  )
  return document
}

/** The document that a request leaves behind; null where only the engine can know. */
export async function follow(
  document: Document,
  request: Member,
  answer: Answer,
  around: FuzzedEngine,
): Promise<Document | null> {
  try {
    return await followRequest(document, request, answer, around)
  } catch (error) {
    if (error instanceof Uncertain) return null
    throw error
  }
}

async function followRequest(
  document: Document,
  request: Member,
  answer: Answer,
  around: FuzzedEngine,
): Promise<Document> {
  const { members } = request
  if (!members) return followOne(document, request, { ok: answer.status === 200, body: answer.body }, around)
  switch (request.type) {
    case 'bulk':
      return followBulk(document, members, answer, around)
    case 'bulk_keep_going':
      return followKeepGoing(document, members, answer.body as unknown[], around)
    default:
      return followAtomic(document, members, answer, around)
  }
}

async function followBulk(
  document: Document,
  members: readonly Member[],
  answer: Answer,
  around: FuzzedEngine,
): Promise<Document> {
  if (answer.status === 200) {
    let after = document
    for (const [i, member] of members.entries())
      after = await followOne(after, member, { ok: true, body: (answer.body as unknown[])[i] }, around)
    return after
  }
  const at = Number(/^\$\.args\[(\d+)\]/.exec(String(answer.body?.path))?.[1])
  const failed = members[at]
  assert.ok(failed, `no member failed: ${answer.text}`)
  let before = document
  for (const member of members.slice(0, at)) {
    const prediction = predict(before, member, { inconsistent: around.inconsistent })
    if (member.type === 'drop_inconsistent_metadata' || tablesOf(member)) return document
    assert.equal(prediction.kind, 'made', `${member.type} went through`)
    if (prediction.kind === 'made') before = prediction.document
  }
  await followOne(before, failed, { ok: false, body: answer.body }, around)
  return document
}

/** What became of each table is in the answer only. */
const tablesOf = ({ type }: Operation): boolean => type === 'track_tables' || type === 'untrack_tables'

async function followKeepGoing(
  document: Document,
  members: readonly Member[],
  answers: readonly unknown[],
  around: FuzzedEngine,
): Promise<Document> {
  assert.equal(answers.length, members.length)
  let after = document
  for (const [i, member] of members.entries()) {
    const body = answers[i]
    const ok = !(isItem(body) && typeof body.code === 'string' && typeof body.path === 'string')
    after = await followOne(after, member, { ok, body }, around)
  }
  return after
}

async function followAtomic(
  document: Document,
  members: readonly Member[],
  answer: Answer,
  around: FuzzedEngine,
): Promise<Document> {
  let after = document
  const code = String(answer.body?.code)
  const at = Number(/^\$\.args\[(\d+)\]/.exec(String(answer.body?.path))?.[1] ?? members.length)
  for (const [i, member] of members.entries()) {
    if (answer.status !== 200 && (member.type === 'drop_inconsistent_metadata' || tablesOf(member))) return document
    const prediction = predict(after, member, { atomic: true, inconsistent: around.inconsistent })
    if (prediction.kind === 'refused') {
      assert.notEqual(answer.status, 200, `${member.type} should be refused with ${prediction.codes.join(' or ')}`)
      assert.ok(
        i >= at && (i > at || member.sent.isOtherKind || prediction.codes.includes(code)),
        `${member.type} should be refused with ${prediction.codes.join(' or ')}: ${answer.text}`,
      )
      return document
    }
    if (i === at) {
      const isKnown = member.sent.isOtherKind || prediction.may.includes(code) || consistencyCodes.has(code)
      assert.ok(isKnown, `${member.type} should not be refused: ${answer.text}`)
      return document
    }
    after = prediction.document
  }
  if (answer.status === 200) return after
  assert.ok(consistencyCodes.has(code), answer.text)
  assert.ok(await around.isInconsistent(after), `refused although its document is consistent: ${answer.text}`)
  return document
}
