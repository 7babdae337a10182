import { LONG } from './long-json.ts'
import { readShort } from './read-short.ts'

/** A member of a list that is parsed when it is read. The one object stands for the same bytes in body after body. */
export interface LateMember {
  readonly length: number
  /** As `readShort` counts them. */
  readonly values: number
  readonly levels: number
  readonly isOdd: boolean
}

const membersOf = new WeakMap<object, LateMember[]>()

/** The members of a list that are parsed when they are read, at their indexes. */
export const lateMembers = (list: object): readonly (LateMember | undefined)[] | undefined => membersOf.get(list)

/** Adds a member to the end of a list: known to be JSON that JSON.parse reads exactly. */
export function addLate(list: unknown[], member: LateMember, bytes: Buffer, start: number): void {
  const members = membersOf.get(list) ?? []
  membersOf.set(list, members)
  members[list.length] = member
  const get = () => JSON.parse(bytes.toString('utf8', start, start + member.length)) as unknown
  Object.defineProperty(list, list.length, { get, enumerable: true, configurable: true })
}

/** A body: where members begin in it, and the members that begin alike. */
interface Body {
  readonly bytes: Buffer
  readonly starts: ReadonlyMap<LateMember, number>
  readonly alike: ReadonlyMap<string, readonly LateMember[]>
}

/**
 * The lists of bodies whose members, except the first ones, are checked with the body and parsed whenever they are
 * read, for a caller who reads each of them once: what it does not keep then dies young. The values of 9 MB of metadata,
 * all alive at once, made V8 copy them for 150 ms and clean up its whole heap after every second body.
 *
 * Members of the last body are remembered by their bytes: where a client sends them again they are neither checked nor
 * parsed, and `lateMembers` has the same objects. A copy of that body stays in memory (up to 32 MB) until the next one:
 * the body itself would outlive V8's young generation, and after 64 MB of them V8 cleans up the whole heap.
 */
export class LateLists {
  readonly keys: ReadonlySet<string>
  #last: Body = { bytes: Buffer.alloc(0), starts: new Map(), alike: new Map() }

  /** `keys`: of the lists. */
  constructor(keys: Iterable<string>) {
    this.keys = new Set(keys)
  }

  /** The members of one more body. */
  begin(bytes: Buffer): LateMembers {
    return new LateMembers(this, bytes)
  }

  /** The member of the last body that begins at `start` in this one too; `used` are those found before. */
  find(bytes: Buffer, start: number, beginning: string, used: Body['starts']): LateMember | undefined {
    const { alike, starts, bytes: last } = this.#last
    return alike.get(beginning)?.find((member) => {
      const end = start + member.length
      if (end > bytes.length || used.has(member)) return false
      const at = starts.get(member) ?? 0
      return bytes.compare(last, at, at + member.length, start, end) === 0
    })
  }

  /** The next body is compared with this one. */
  remember({ bytes, starts, alike }: Body): void {
    if (bytes.length > MOST_REMEMBERED) return
    const { length } = this.#last.bytes
    const isFitting = bytes.length <= length && bytes.length > length / 2
    const copy = isFitting ? this.#last.bytes : Buffer.allocUnsafeSlow(bytes.length)
    bytes.copy(copy)
    this.#last = { bytes: copy, starts, alike }
  }
}

/** The members of a body while it is parsed. */
export class LateMembers {
  readonly #lists: LateLists
  readonly #bytes: Buffer
  readonly #starts = new Map<LateMember, number>()
  readonly #alike = new Map<string, LateMember[]>()

  constructor(lists: LateLists, bytes: Buffer) {
    this.#lists = lists
    this.#bytes = bytes
  }

  /** The member that begins at `start`; null where it is too long, or JSON.parse would not read it exactly. */
  read(start: number): LateMember | null {
    const beginning = this.#bytes.toString('latin1', start, start + BEGINNING)
    const member = this.#lists.find(this.#bytes, start, beginning, this.#starts) ?? check(this.#bytes, start)
    if (!member) return null
    if (this.#starts.size >= MOST_MEMBERS) return member
    this.#starts.set(member, start)
    const alike = this.#alike.get(beginning)
    if (!alike) this.#alike.set(beginning, [member])
    else if (alike.length < MOST_ALIKE) alike.push(member)
    return member
  }

  /** The whole body was JSON. */
  end(): void {
    if (this.#starts.size > 0) this.#lists.remember({ bytes: this.#bytes, starts: this.#starts, alike: this.#alike })
  }
}

const MOST_REMEMBERED = 33_554_432

/** Members that are remembered: a body may have millions, also one that is refused, and each takes some 300 bytes. */
const MOST_MEMBERS = 65_536

/** Members that begin alike and are compared: the same tables of several databases. */
const MOST_ALIKE = 16

/** Bytes that mostly hold a table's name: members that differ in them are not compared. */
const BEGINNING = 96

/** Values of a member that is parsed when it is read: some 0.2 ms. */
const MOST_VALUES = 2048

function check(bytes: Buffer, start: number): LateMember | null {
  const short = readShort(bytes, start, MOST_VALUES, LONG)
  if (typeof short === 'number') return null
  const { length, values, levels, isOdd } = short
  return { length, values, levels, isOdd }
}
