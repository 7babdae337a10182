import './attribute-meta.ts'
import { isRawNumber, type Json, type JsonObject } from '@svc/schema'
import { z } from 'zod'
import type { Reference } from './define-resource.ts'

const sourceName = z.string().min(1, 'must not be empty').default('default')

const qualifiedName = (typeName: 'TableName' | 'FunctionName') =>
  z
    .object({
      schema: z.string().min(1, 'must not be empty').default('public').meta({ description: 'Schema in the database.' }),
      name: z.string().min(1, 'must not be empty').meta({ description: 'Name in the database.' }),
    })
    .meta({ typeName })

/** `{ schema, name }` of a table or view. */
export const tableName = () => qualifiedName('TableName')

/** `{ schema, name }` of a function. */
export const functionName = () => qualifiedName('FunctionName')

/** The attribute of an object that lies in a source. */
export const inSource = {
  source: sourceName.meta({ description: 'Name of the source it lies in.', replace: true, at: null }),
}

/** The attributes of an object that lies in a table. */
export const inTable = {
  ...inSource,
  table: tableName().meta({ description: 'The table it lies in, best as an output of it.', replace: true, at: null }),
}

export const comment = z.string().optional().meta({ description: 'For people who read the metadata.' })

/** A table named below a value, of the same source. */
export const tableReference = (source: Json, table: Json | undefined, ...attribute: string[]): readonly Reference[] =>
  table === undefined ? [] : [{ to: 'table', source, table, attribute }]

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !isRawNumber(json)
