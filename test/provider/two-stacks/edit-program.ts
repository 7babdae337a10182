/** Random edits of a stack's program. */
import type { Random } from '../../admin/random.ts'
import { type Declared, needsOf, objectOf, type Program, type TablePlace } from './declared.ts'

export interface Edited {
  readonly program: Program
  /** For the log of a run. */
  readonly text: string
  /** Another address of the same resource, as `moved` and aliases say it. */
  readonly renamed?: readonly (readonly [old: string, now: string])[]
  readonly replace?: readonly string[]
  readonly taint?: readonly string[]
}

export interface EditContext {
  readonly random: Random
  /** What names of this stack begin with. */
  readonly prefix: string
  /** Tables that only this stack tracks. */
  readonly pool: readonly string[]
  /** Tables that others track. */
  readonly others: readonly string[]
  /** A number that was never given before. */
  readonly fresh: () => number
}

type Edit = (program: Program, around: EditContext) => Edited | null

const withOne = (program: Program, name: string, declared: Declared): Program => new Map([...program, [name, declared]])

const namesOf = (program: Program, kind: Declared['kind']): readonly string[] =>
  [...program].filter(([, declared]) => declared.kind === kind).map(([name]) => name)

const freeTables = (program: Program, pool: readonly string[]): readonly string[] => {
  const taken = new Set([...program.values()].map((declared) => (declared.kind === 'Table' ? declared.table : '')))
  return pool.filter((table) => !taken.has(table))
}

/** Null where two resources would stand for one object. */
function checked(edited: Edited): Edited | null {
  const keys = [...edited.program.values()].map((declared) => objectOf(edited.program, declared)[0])
  return new Set(keys).size === keys.length ? edited : null
}

function anyPlace(program: Program, { random, others }: EditContext): TablePlace | null {
  const own = namesOf(program, 'Table')
  if (others.length > 0 && random.chance(0.3)) return { table: random.pick(others) }
  return own.length > 0 ? { resource: random.pick(own) } : null
}

const addTable: Edit = (program, { random, prefix, pool, fresh }) => {
  const free = freeTables(program, pool)
  if (free.length === 0) return null
  const number = fresh()
  const table = random.pick(free)
  const declared = { kind: 'Table', table, customName: `${prefix}_${number}`, force: random.chance(0.2) } as const
  return { program: withOne(program, `table${number}`, declared), text: `tracks ${table}` }
}

const addPermission: Edit = (program, around) => {
  const { random, prefix, fresh } = around
  const place = anyPlace(program, around)
  if (!place) return null
  const number = fresh()
  const kind = random.pick(['SelectPermission', 'DeletePermission'] as const)
  const role = `${prefix}r${random.below(6)}`
  const declared = { kind, place, role, owner: `owner ${number}`, broken: false } as const
  const program2 = withOne(program, `permission${number}`, declared)
  return checked({ program: program2, text: `gives ${role} a ${kind} in ${JSON.stringify(place)}` })
}

const addRelationship: Edit = (program, around) => {
  const [place, to] = [anyPlace(program, around), anyPlace(program, around)]
  if (!place || !to) return null
  const number = around.fresh()
  const declared = {
    kind: 'ObjectRelationship',
    place,
    name: `${around.prefix}_rel${number}`,
    to,
    comment: '',
  } as const
  return { program: withOne(program, `relationship${number}`, declared), text: `leads from ${JSON.stringify(place)}` }
}

const addRole: Edit = (program, { random, prefix, fresh }) => {
  const of = namesOf(program, 'SelectPermission').filter(() => random.chance(0.4))
  if (of.length === 0) return null
  const number = fresh()
  const declared = { kind: 'InheritedRole', name: `${prefix}_role${number}`, of: distinctRoles(program, of) } as const
  return { program: withOne(program, `role${number}`, declared), text: `inherits from ${of}` }
}

const distinctRoles = (program: Program, of: readonly string[]): readonly string[] => {
  const byRole = new Map(
    of.flatMap((name) => {
      const declared = program.get(name)
      return declared?.kind === 'SelectPermission' ? [[declared.role, name] as const] : []
    }),
  )
  return [...byRole.values()]
}

const addCollection: Edit = (program, { prefix, fresh }) => {
  const number = fresh()
  const declared = { kind: 'QueryCollection', name: `${prefix}_queries${number}`, comment: '' } as const
  return { program: withOne(program, `collection${number}`, declared), text: 'collects queries' }
}

const pickOne = (program: Program, random: Random): readonly [string, Declared] | null =>
  program.size === 0 ? null : random.pick([...program])

const change: Edit = (program, { random, prefix, fresh }) => {
  const one = pickOne(program, random)
  if (!one) return null
  const [name, declared] = one
  const number = fresh()
  const text = `changes ${name}`
  switch (declared.kind) {
    case 'Table':
      return random.chance(0.3)
        ? { program: withOne(program, name, { ...declared, force: !declared.force }), text: `${text}: force` }
        : { program: withOne(program, name, { ...declared, customName: `${prefix}_${number}` }), text }
    case 'SelectPermission':
    case 'DeletePermission':
      return { program: withOne(program, name, { ...declared, owner: `owner ${number}` }), text }
    case 'ObjectRelationship':
    case 'QueryCollection':
      return { program: withOne(program, name, { ...declared, comment: `comment ${number}` }), text }
    case 'InheritedRole': {
      const of = distinctRoles(program, namesOf(program, 'SelectPermission'))
      return { program: withOne(program, name, { ...declared, of: of.slice(0, 1 + random.below(of.length)) }), text }
    }
  }
}

/** Another identity. */
const move: Edit = (program, { random, prefix, pool, fresh }) => {
  const one = pickOne(program, random)
  if (!one) return null
  const [name, declared] = one
  const number = fresh()
  const text = `moves ${name}`
  switch (declared.kind) {
    case 'Table': {
      const free = freeTables(program, pool)
      if (free.length === 0) return null
      const table = random.pick(free)
      return { program: withOne(program, name, { ...declared, table }), text: `${text}: ${declared.table} -> ${table}` }
    }
    case 'SelectPermission':
    case 'DeletePermission': {
      const role = `${prefix}r${random.below(6)}`
      // two of one role cannot both be in a role set
      const isInherited = [...program.values()].some((other) => other.kind === 'InheritedRole')
      if (isInherited && [...program.values()].some((other) => 'role' in other && other.role === role)) return null
      return checked({
        program: withOne(program, name, { ...declared, role }),
        text: `${text}: ${declared.role} -> ${role}`,
      })
    }
    case 'ObjectRelationship':
      return { program: withOne(program, name, { ...declared, name: `${prefix}_rel${number}` }), text }
    case 'InheritedRole':
      return { program: withOne(program, name, { ...declared, name: `${prefix}_role${number}` }), text }
    case 'QueryCollection':
      return { program: withOne(program, name, { ...declared, name: `${prefix}_queries${number}` }), text }
  }
}

/** Another logical name; the tool may or may not know that it is the same. */
const readdress: Edit = (program, { random, fresh }) => {
  const one = pickOne(program, random)
  if (!one) return null
  const [old] = one
  const now = `${old.replace(/\d+$/, '')}${fresh()}`
  const isReported = random.chance(0.5)
  return {
    program: readdressed(program, old, now),
    text: `calls ${old} ${now}${isReported ? ', and says so' : ''}`,
    ...(isReported && { renamed: [[old, now]] }),
  }
}

/** The same program, in which a resource has another logical name. */
export function readdressed(program: Program, old: string, now: string): Program {
  const renamed = (name: string) => (name === old ? now : name)
  const place = (one: TablePlace): TablePlace => ('resource' in one ? { resource: renamed(one.resource) } : one)
  return new Map([...program].map(([name, declared]) => [renamed(name), withNames(declared, renamed, place)]))
}

function withNames(
  declared: Declared,
  renamed: (name: string) => string,
  place: (one: TablePlace) => TablePlace,
): Declared {
  switch (declared.kind) {
    case 'Table':
    case 'QueryCollection':
      return declared
    case 'SelectPermission':
    case 'DeletePermission':
      return { ...declared, place: place(declared.place) }
    case 'ObjectRelationship':
      return { ...declared, place: place(declared.place), to: place(declared.to) }
    case 'InheritedRole':
      return { ...declared, of: declared.of.map(renamed) }
  }
}

/** A resource, and all that names it. */
export function without(program: Program, name: string): Program {
  const kept = new Map(program)
  kept.delete(name)
  for (const [other, declared] of program)
    if (needsOf(declared).includes(name)) for (const gone of difference(kept, without(kept, other))) kept.delete(gone)
  return kept
}

const difference = (all: Program, kept: Program): readonly string[] => [...all.keys()].filter((name) => !kept.has(name))

const remove: Edit = (program, { random }) => {
  const one = pickOne(program, random)
  if (!one) return null
  return { program: without(program, one[0]), text: `removes ${one[0]}` }
}

const spoil: Edit = (program, { random }) => {
  const names = namesOf(program, 'SelectPermission')
  if (names.length === 0) return null
  const name = random.pick(names)
  const declared = program.get(name)
  if (declared?.kind !== 'SelectPermission') return null
  return { program: withOne(program, name, { ...declared, broken: true }), text: `misspells a column of ${name}` }
}

const replace: Edit = (program, { random }) => {
  const one = pickOne(program, random)
  return one && { program, text: `replaces ${one[0]}`, replace: [one[0]] }
}

const taint: Edit = (program, { random }) => {
  const one = pickOne(program, random)
  return one && { program, text: `taints ${one[0]}`, taint: [one[0]] }
}

const edits: readonly Edit[] = [
  addTable,
  addTable,
  addPermission,
  addPermission,
  addPermission,
  addRelationship,
  addRole,
  addCollection,
  change,
  change,
  change,
  move,
  move,
  move,
  readdress,
  remove,
  remove,
  spoil,
  replace,
  taint,
]

/** One edit that is possible. */
export function editProgram(program: Program, around: EditContext): Edited {
  for (;;) {
    const edited = around.random.pick(edits)(program, around)
    if (edited) return edited
  }
}

/** With every mistake mended. */
export const mended = (program: Program): Program =>
  new Map(
    [...program].map(([name, declared]) => [
      name,
      declared.kind === 'SelectPermission' ? { ...declared, broken: false } : declared,
    ]),
  )
