import './attribute-meta.ts'
import { z } from 'zod'
import type { Attributes } from './attribute.ts'
import { compileAttributes, type InputShape } from './compile-attribute.ts'
import { objectData } from './object-data.ts'

/** Something to be read: inputs, and outputs in the same language. */
export interface DataDeclaration {
  readonly name: string
  /** In Markdown; the first sentence stands alone. */
  readonly description: string
  readonly inputs: InputShape
  readonly outputs: InputShape
}

const text = (description: string) => z.string().meta({ description })
const json = (description: string, sensitive = false) => z.unknown().meta({ description, json: true, sensitive })
const version = () => z.int().meta({ description: 'Version of the metadata; grows with every change.' })
const catalogue = () => text('The catalogue it is a version of: another one after a restore.')

const showSecrets = () =>
  z.boolean().optional().meta({
    description: 'Whether secrets are read, too. They then stand in the state of the tool. Without it they are `***`.',
  })

export const metadataData = {
  name: 'metadata',
  description: 'All metadata of the engine.',
  inputs: { show_secrets: showSecrets() },
  outputs: {
    metadata: json('As `export_metadata` gives it, with secrets as `***` unless `show_secrets` is true.', true),
    resource_version: version(),
    catalog_id: catalogue(),
  },
} satisfies DataDeclaration

export const changesData = {
  name: 'metadata_changes',
  description: 'What has changed in the metadata since a version, and by whom.',
  inputs: {
    since_resource_version: z.int().meta({ description: 'The version from which on changes are listed.' }),
    catalog_id: z.string().optional().meta({ description: 'The catalogue that version was of.' }),
    show_secrets: showSecrets(),
  },
  outputs: {
    resource_version: version(),
    complete: z.boolean().meta({ description: 'Whether the engine still knows everything since then.' }),
    reason: z.string().optional().meta({ description: 'Why not.' }),
    changes: z
      .array(
        z.object({
          resource_version: version(),
          at: text('When.'),
          operation: text('The operation that changed it.'),
          change: text('`create`, `update` or `delete`.'),
          type: text('What kind of object.'),
          name: text('Which one.'),
          by: json('By whom: role, actor, user agent, request id, session variables.'),
          old: json('Its value before.', true),
          new: json('Its value after.', true),
        }),
      )
      .meta({ description: 'Oldest first.' }),
  },
} satisfies DataDeclaration

export const unmanagedData = {
  name: 'unmanaged_objects',
  description: 'Objects of the metadata that nobody manages: all but those that are named here.',
  inputs: {
    managed: z
      .record(z.string(), z.array(z.string()).meta({ set: true, description: 'Ids.' }))
      .optional()
      .meta({ description: 'Ids of what is managed, by kind.' }),
  },
  outputs: {
    objects: z
      .array(
        z.object({
          kind: z
            .string()
            .optional()
            .meta({ description: 'The kind of resource that can manage it, such as `table`.' }),
          id: z.string().optional().meta({ description: 'The id to import it by.' }),
          type: text('What kind of object it is in the metadata.'),
          name: text('Which one.'),
        }),
      )
      .meta({ description: 'In the order of the export.' }),
  },
} satisfies DataDeclaration

export const objectsData = {
  name: 'objects',
  description: 'All objects of a kind that are there, whoever made them.',
  inputs: {
    kind: z.string().meta({ description: 'The kind of resource that stands for them, such as `table`.' }),
    source: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'Only those that lie in this source, or are it.' }),
  },
  outputs: {
    objects: z
      .array(
        z.object({
          id: text('The id to import it by.'),
          name: text('Which one.'),
          attributes: json('What its resource would have, by names of attributes in snake_case. Secrets are `***`.'),
        }),
      )
      .meta({ description: 'In the order of the export.' }),
  },
} satisfies DataDeclaration

export const dataSources: readonly DataDeclaration[] = [
  metadataData,
  changesData,
  unmanagedData,
  objectsData,
  ...objectData,
]

/** Attributes of a data source, of which nothing is ever replaced. */
export const dataAttributes = (shape: InputShape): Attributes =>
  Object.fromEntries(
    Object.entries(compileAttributes(shape)).map(([name, attribute]) => [name, { ...attribute, replace: false }]),
  )
