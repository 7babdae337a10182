import type { Random } from '../admin/random.ts'
import { type Member, predict } from './judge.ts'
import type { Document } from './plain-document.ts'
import { type Operation, randomOperation, spellOperation } from './requests/requests.ts'

interface Around {
  readonly document: Document
  readonly past: readonly Document[]
  readonly version: number
}

/** One operation, or a bulk of any kind, now and then with a version. */
export function randomRequest(random: Random, around: Around): Member {
  const { document: first, past } = around
  const kind = random.below(10)
  const version = random.chance(0.05) ? { resource_version: around.version - random.below(2) } : {}
  if (kind < 4) {
    const member = randomMember(random, first, past)
    // /v1/query knows no versions
    return (member.sent.endpoint === '/v1/metadata' ? { ...member, ...version } : member) as Member
  }
  const type = kind < 6 ? 'bulk' : kind < 9 ? 'bulk_keep_going' : 'bulk_atomic'
  const members: Member[] = []
  let document = first
  const length = 1 + random.below(type === 'bulk_keep_going' ? 20 : 6)
  for (let i = 0; i < length; i++) {
    const member = randomMember(random, document, past)
    const isAlone =
      member.sent.isOtherKind || member.sent.endpoint !== '/v1/metadata' || member.type === 'drop_inconsistent_metadata'
    if (isAlone || (type === 'bulk_atomic' && /^reload_/.test(member.type))) continue
    members.push(member)
    const prediction = predict(document, member, { atomic: type === 'bulk_atomic' })
    if (prediction.kind === 'made') document = prediction.document
  }
  const sent = { endpoint: '/v1/metadata', name: type, isOtherKind: false } as const
  // an empty one reads only, and compares no version
  return { type, args: null, sent, members, ...(members.length > 0 && version) } as Member
}

export function randomMember(random: Random, document: Document, past: readonly Document[]): Member {
  const operation: Operation = randomOperation(random, document, past)
  return { ...operation, sent: spellOperation(random, operation) }
}
