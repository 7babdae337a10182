import { type Declared, type Objects, objectOf, type Program, type TablePlace } from './declared.ts'
import { without } from './edit-program.ts'
import { handTables } from './hand-act.ts'
import { isTable } from './object-keys.ts'

/** What its stack does not track any more is followed to where it went, or given up. */
export function followed(program: Program, live: Objects, programs: readonly Program[]): Program {
  const tracked = new Set(programs.flatMap((one) => wantedKeys(one).filter((key) => isTable(key))))
  const isThere = (table: string) =>
    handTables.includes(table) ? live.has(table) : tracked.has(table) && live.has(table)
  const isLost = (place: TablePlace) => 'table' in place && !isThere(place.table)
  let kept = program
  for (const [name, declared] of program) {
    const places = placesOf(declared)
    if (places.some(isLost)) kept = without(kept, name)
  }
  return kept
}

export const wantedKeys = (program: Program): readonly string[] =>
  [...program.values()].map((declared) => objectOf(program, declared)[0])

function placesOf(declared: Declared): readonly TablePlace[] {
  switch (declared.kind) {
    case 'SelectPermission':
    case 'DeletePermission':
      return [declared.place]
    case 'ObjectRelationship':
      return [declared.place, declared.to]
    case 'Table':
    case 'InheritedRole':
    case 'QueryCollection':
      return []
  }
}
