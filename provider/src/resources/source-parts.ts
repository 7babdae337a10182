import './attribute-meta.ts'
import type { JsonObject } from '@svc/schema'
import { z } from 'zod'
import type { Declaration } from './define-resource.ts'
import { changedKeys } from './object-changes.ts'
import { op } from './operation.ts'
import type { SourceFamily } from './source-family.ts'

/** The attributes of sources of every kind, and the operations on them. */
export const sourceName = z
  .string()
  .min(1, 'must not be empty')
  .meta({ description: 'Its name, by which everything in it names it.', replace: true })

const text = (description: string) => z.string().optional().meta({ description })

export const customization = z
  .object({
    root_fields: z
      .object({
        namespace: text('Field below which all root fields of the source stand.'),
        prefix: text('What root fields begin with.'),
        suffix: text('What root fields end with.'),
      })
      .optional()
      .meta({ description: 'Names of the root fields.' }),
    type_names: z
      .object({ prefix: text('What types begin with.'), suffix: text('What types end with.') })
      .optional()
      .meta({ description: 'Names of the types.' }),
    naming_convention: text('How names of the database become names of GraphQL.'),
  })
  .optional()
  .meta({ description: 'Names of root fields and types.' })

export const healthCheck = z
  .object({
    test: z
      .object({ sql: z.string().default('SELECT 1').meta({ description: 'Statement that has to succeed.' }) })
      .optional()
      .meta({ description: 'What is tried.' }),
    interval: z.int().meta({ description: 'Seconds between two checks.' }),
    retries: z.int().default(3).meta({ description: 'Tries before it counts as failed.' }),
    retry_interval: z.int().default(10).meta({ description: 'Seconds between two tries.' }),
    timeout: z.int().default(10).meta({ description: 'Seconds a try may take.' }),
  })
  .optional()
  .meta({ description: 'Checks at intervals whether the database answers.' })

/** Making, changing, renaming and dropping a source of a kind. */
export const sourceOperations = ({
  kind,
  op: own,
}: SourceFamily): Pick<Declaration, 'create' | 'update' | 'delete' | 'rename' | 'identity' | 'fixed'> => ({
  identity: ['name'],
  fixed: { kind },
  create: ({ kind: _, query_tags, ...value }) => (query_tags === undefined ? [own('add_source', value)] : null),
  update(old, now) {
    const { name = null, configuration = null, customization: names = {}, health_check = null } = now
    const parts = new Map([
      ['configuration', configuration],
      ['customization', names],
      ['health_check', health_check],
    ])
    const keys = changedKeys(old, now)
    if (!keys.every((key) => parts.has(key))) return null
    return [own('update_source', { name, ...Object.fromEntries(keys.map((key) => [key, parts.get(key) ?? null])) })]
  },
  delete: ({ name = null }) => [own('drop_source', { name })],
  rename: ({ name = null }: JsonObject, { name: new_name = null }: JsonObject) => [
    op('rename_source', { name, new_name }),
  ],
})
