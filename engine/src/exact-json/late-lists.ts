import { LONG } from './long-json.ts'
import { readShort } from './read-short.ts'

/** A member of a list that is parsed when it is read. The one object stands for the same bytes in body after body. */
export interface LateMember {
  /** Where it was seen last. */
  bytes: Buffer
  start: number
  end: number
  /** As `readShort` counts them. */
  readonly values: number
  readonly levels: number
  readonly isOdd: boolean
}

type MembersByBeginning = ReadonlyMap<string, readonly LateMember[]>

const membersOf = new WeakMap<object, LateMember[]>()

/** The members of a list that are parsed when they are read, at their indexes. */
export const lateMembers = (list: object): readonly (LateMember | undefined)[] | undefined => membersOf.get(list)

/** Adds a member to the end of a list: known to be JSON that JSON.parse reads exactly. */
export function addLate(list: unknown[], member: LateMember): void {
  const members = membersOf.get(list) ?? []
  membersOf.set(list, members)
  members[list.length] = member
  const get = () => JSON.parse(member.bytes.toString('utf8', member.start, member.end)) as unknown
  Object.defineProperty(list, list.length, { get, enumerable: true, configurable: true })
}

/**
 * The lists of bodies whose members, except the first ones, are checked with the body and parsed whenever they are
 * read, for a caller who reads each of them once: what it does not keep then dies young. The values of 9 MB of metadata,
 * all alive at once, made V8 copy them for 150 ms and clean up its whole heap after every second body.
 *
 * Members of the last body are remembered by their bytes: where a client sends them again they are neither checked nor
 * parsed, and `lateMembers` has the same objects. That body stays in memory (up to 64 MB) until the next one.
 */
export class LateLists {
  readonly keys: ReadonlySet<string>
  #last: MembersByBeginning = new Map()

  /** `keys`: of the lists. */
  constructor(keys: Iterable<string>) {
    this.keys = new Set(keys)
  }

  /** The members of one more body. */
  begin(): LateMembers {
    return new LateMembers(this.#last, (members) => {
      this.#last = members
    })
  }
}

/** The members of a body while it is parsed. */
export class LateMembers {
  readonly #last: MembersByBeginning
  readonly #remember: (members: MembersByBeginning) => void
  readonly #found = new Map<LateMember, number>()
  readonly #members = new Map<string, LateMember[]>()

  constructor(last: MembersByBeginning, remember: (members: MembersByBeginning) => void) {
    this.#last = last
    this.#remember = remember
  }

  /** The member that begins at `start`; null where it is too long, or JSON.parse would not read it exactly. */
  read(bytes: Buffer, start: number): LateMember | null {
    const key = bytes.toString('latin1', start, start + BEGINNING)
    const member = this.#find(key, bytes, start) ?? check(bytes, start)
    const alike = this.#members.get(key)
    if (member && !alike) this.#members.set(key, [member])
    else if (member && alike && alike.length < MOST_ALIKE) alike.push(member)
    return member
  }

  #find(key: string, bytes: Buffer, start: number): LateMember | undefined {
    const found = this.#last.get(key)?.find((member) => {
      const end = start + member.end - member.start
      if (end > bytes.length || this.#found.has(member)) return false
      return bytes.compare(member.bytes, member.start, member.end, start, end) === 0
    })
    if (found) this.#found.set(found, start)
    return found
  }

  /** The whole body is JSON: the next one is compared with it. */
  end(bytes: Buffer): void {
    if (this.#members.size === 0) return
    for (const [member, start] of this.#found) {
      member.end += start - member.start
      member.start = start
      member.bytes = bytes
    }
    this.#remember(bytes.length > MOST_REMEMBERED ? new Map() : this.#members)
  }
}

const MOST_REMEMBERED = 67_108_864

/** Members that begin alike and are compared: the same tables of several databases. */
const MOST_ALIKE = 16

/** Bytes that mostly hold a table's name: members that differ in them are not compared. */
const BEGINNING = 96

/** Values of a member that is parsed when it is read: some 0.2 ms. */
const MOST_VALUES = 2048

function check(bytes: Buffer, start: number): LateMember | null {
  const short = readShort(bytes, start, MOST_VALUES, LONG)
  if (typeof short === 'number') return null
  const { end, values, levels, isOdd } = short
  return { bytes, start, end, values, levels, isOdd }
}
