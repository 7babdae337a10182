import { createHash } from 'node:crypto'
import { isRecord, type Json, type JsonObject } from '@svc/schema'
import type { DatabaseColumn, DatabaseTable } from '../../backend.ts'
import { databaseType } from '../types/database-type.ts'

/** A table, and the columns of it that are not served since GraphQL has no type for theirs. */
export interface ReadTable {
  readonly table: DatabaseTable
  readonly leftOut: readonly { readonly name: string; readonly type: string }[]
}

/** A table as tables.get describes it: read-only, without keys. Null where the answer is no table. */
export function tableOf(dataset: string, name: string, answer: unknown): ReadTable | null {
  if (!isRecord(answer)) return null
  const fields = isRecord(answer.schema) && Array.isArray(answer.schema.fields) ? answer.schema.fields : []
  const read = fields.filter(isRecord).map(columnOf)
  const columns = read.flatMap(({ column }) => column ?? [])
  const leftOut = read.flatMap(({ column, name: left, type }) => (column ? [] : [{ name: left, type }]))
  const partitionFilter = partitionColumns(answer)
  const kind = kinds[String(answer.type)] ?? 'table'
  return {
    leftOut,
    table: {
      table: { schema: dataset, name },
      kind,
      description: null,
      columns,
      primaryKey: null,
      uniqueKeys: [],
      foreignKeys: [],
      insertable: false,
      updatable: false,
      deletable: false,
      fingerprint: fingerprintOf([kind, columns, leftOut, partitionFilter] as unknown as Json),
      oid: `${dataset}.${name}`,
      ...(partitionFilter && { partitionFilter }),
    },
  }
}

const kinds: Readonly<Record<string, DatabaseTable['kind']>> = {
  VIEW: 'view',
  MATERIALIZED_VIEW: 'materialized-view',
  EXTERNAL: 'foreign-table',
}

function columnOf(field: JsonObject, index: number): { column: DatabaseColumn | null; name: string; type: string } {
  const name = String(field.name)
  const type = String(field.type)
  const mode = field.mode ?? 'NULLABLE'
  const known = databaseType(type, mode === 'REPEATED')
  const column: DatabaseColumn | null = known && {
    name,
    position: index + 1,
    type: known,
    nullable: mode === 'NULLABLE',
    hasDefault: false,
    generated: 'never',
    description: null,
  }
  return { column, name, type }
}

/** The columns of which a query has to filter one, where the table demands that; null: it does not. */
function partitionColumns({ requirePartitionFilter, timePartitioning, rangePartitioning }: JsonObject) {
  const time = isRecord(timePartitioning) ? timePartitioning : null
  if (requirePartitionFilter !== true && time?.requirePartitionFilter !== true) return null
  const range = isRecord(rangePartitioning) ? rangePartitioning.field : undefined
  const field = time?.field ?? range
  // without a column of its own it is partitioned by the time of loading
  return typeof field === 'string' ? [field] : ['_PARTITIONTIME', '_PARTITIONDATE']
}

const fingerprintOf = (facts: Json) => createHash('sha1').update(JSON.stringify(facts)).digest('base64url')
