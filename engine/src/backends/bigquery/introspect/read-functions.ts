import { isRecord, type JsonObject } from '@svc/schema'
import type { QualifiedName } from '../../../ir/index.ts'
import type { DatabaseArgument, DatabaseFunction } from '../../backend.ts'
import { RequestFailed } from '../connect/api-answer.ts'
import { databaseType } from '../types/database-type.ts'
import { inParallel, type Listing, listRoutines } from './rest-listing.ts'

/** Returns the routines of these names, in the order of the names; routines.list is called once a dataset. */
export async function readDatasetFunctions(
  listing: Listing,
  datasets: readonly string[],
  names: readonly QualifiedName[],
): Promise<readonly (readonly DatabaseFunction[])[]> {
  const asked = [...new Set(names.map(({ schema }) => schema))].filter((dataset) => datasets.includes(dataset))
  const lists = await inParallel(asked, 10, (dataset) => routinesOf(listing, dataset))
  const found = lists.flat()
  return names.map(({ schema, name }) =>
    found.filter(({ function: one }) => one.schema === schema && one.name === name),
  )
}

/** An emulator that has no routines.list answers 500: there are none then. */
async function routinesOf(listing: Listing, dataset: string): Promise<readonly DatabaseFunction[]> {
  try {
    const routines = await listRoutines(listing, dataset)
    return routines.flatMap((routine) => functionOf(dataset, routine))
  } catch (error) {
    if (error instanceof RequestFailed && error.of === 'api' && error.answer?.status === 500) return []
    throw error
  }
}

function functionOf(dataset: string, routine: JsonObject): readonly DatabaseFunction[] {
  const { routineReference: reference, arguments: listed, returnTableType: table, routineType } = routine
  if (!isRecord(reference) || typeof reference.routineId !== 'string') return []
  const name = reference.routineId
  const isTable = routineType === 'TABLE_VALUED_FUNCTION'
  const columns = isRecord(table) && Array.isArray(table.columns) ? table.columns.filter(isRecord).flatMap(typed) : null
  return [
    {
      function: { schema: dataset, name },
      description: null,
      volatility: 'stable',
      variadic: false,
      arguments: (Array.isArray(listed) ? listed : [])
        .filter(isRecord)
        .flatMap(typed)
        .map((one): DatabaseArgument => ({ ...one, hasDefault: false })),
      returns: { type: { schema: dataset, name, kind: 'composite', array: false }, set: isTable },
      oid: `${dataset}.${name}`,
      ...(isTable && { table: { columns } }),
    },
  ]
}

/** A column or an argument; those of types that the engine does not know are left out. */
function typed({ name, type, dataType }: JsonObject) {
  const given = isRecord(dataType) ? dataType : isRecord(type) ? type : {}
  const element = isRecord(given.arrayElementType) ? given.arrayElementType.typeKind : null
  const known = databaseType(String(element ?? given.typeKind), element !== null)
  return known && typeof name === 'string' ? [{ name, type: known }] : []
}
