import type { JsonObject } from '@svc/schema'
import { type InputDeclaration, type Inputs, identifying } from './attributes-of.ts'
import type { Declaration } from './define-resource.ts'
import { changedKeys } from './object-changes.ts'
import { op } from './operation.ts'
import type { SourceFamily } from './source-family.ts'

/** The attributes of sources of every kind, and the operations on them. */
export const sourceName = identifying('Its name, by which everything in it names it.')

/** A connection that is stored in no state, and the number whose change sends it again. */
export const writtenOnly = (
  name: string,
  description: string,
  more: Omit<InputDeclaration, 'description'>,
): Inputs => ({
  [`${name}_wo`]: {
    ...more,
    description: `${description} that is stored in no state and no plan. Sent when the source is made and when \`${name}_wo_version\` changes.`,
    sensitive: true,
    writeOnly: true,
  },
  [`${name}_wo_version`]: {
    description: `Any number; a change sends \`${name}_wo\` again.`,
    at: null,
    type: 'integer',
    optional: true,
  },
})

export const customization: InputDeclaration = {
  description: 'Names of root fields and types.',
  of: {
    root_fields: {
      description: 'Names of the root fields.',
      of: {
        namespace: 'Field below which all root fields of the source stand.',
        prefix: 'What root fields begin with.',
        suffix: 'What root fields end with.',
      },
    },
    type_names: {
      description: 'Names of the types.',
      of: { prefix: 'What types begin with.', suffix: 'What types end with.' },
    },
    naming_convention: {
      description: 'How names of the database become names of GraphQL.',
      type: 'string',
      optional: true,
    },
  },
}

export const healthCheck: InputDeclaration = {
  description: 'Checks at intervals whether the database answers.',
  of: {
    test: { description: 'What is tried.', of: { sql: 'Statement that has to succeed.' } },
    interval: 'Seconds between two checks.',
    retries: 'Tries before it counts as failed.',
    retry_interval: 'Seconds between two tries.',
    timeout: 'Seconds a try may take.',
  },
}

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
