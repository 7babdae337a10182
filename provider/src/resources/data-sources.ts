import type { Attributes } from './attribute.ts'
import { attributesOf, type InputDeclaration, type Inputs } from './attributes-of.ts'
import { objectData, showSecrets } from './object-data.ts'

/** Something to be read: inputs, and outputs in the same language. */
export interface DataDeclaration {
  readonly name: string
  /** In Markdown; the first sentence is used by itself, too. */
  readonly description: string
  readonly inputs: Attributes
  readonly outputs: Attributes
}

const text = (description: string): InputDeclaration => ({ description, type: 'string' })
const optionalText = (description: string): InputDeclaration => ({ description, type: 'string', optional: true })
const json = (description: string): InputDeclaration => ({ description, json: true })
const secret = (description: string): InputDeclaration => ({ description, json: true, sensitive: true })
const listOf = (description: string, of: Inputs): InputDeclaration => ({
  description,
  type: { kind: 'list', of: { kind: 'object', attributes: attributesOf(of) } },
})
const version: InputDeclaration = { description: 'Version of the metadata; grows with every change.', type: 'integer' }
const catalogue = text('The catalogue it is a version of: another one after a restore.')

interface Declared extends Omit<DataDeclaration, 'inputs' | 'outputs'> {
  readonly inputs: Inputs
  readonly outputs: Inputs
}

const declare = ({ inputs, outputs, ...others }: Declared): DataDeclaration => ({
  ...others,
  inputs: attributesOf(inputs),
  outputs: attributesOf(outputs),
})

const metadataData = declare({
  name: 'metadata',
  description: 'All metadata of the engine.',
  inputs: { show_secrets: showSecrets },
  outputs: {
    metadata: secret('As `export_metadata` gives it, with secrets as `***` unless `show_secrets` is true.'),
    resource_version: version,
    catalog_id: catalogue,
  },
})

const changesData = declare({
  name: 'metadata_changes',
  description: 'What has changed in the metadata since a version, and by whom.',
  inputs: {
    since_resource_version: { description: 'The version from which on changes are listed.', type: 'integer' },
    catalog_id: optionalText('The catalogue that version was of.'),
    show_secrets: showSecrets,
  },
  outputs: {
    resource_version: version,
    complete: { description: 'Whether the engine still knows everything since then.', type: 'boolean' },
    reason: optionalText('Why not.'),
    changes: listOf('Oldest first.', {
      resource_version: version,
      at: text('When.'),
      operation: text('The operation that changed it.'),
      change: text('`create`, `update` or `delete`.'),
      type: text('What kind of object.'),
      name: text('Which one.'),
      by: json('By whom: role, actor, user agent, request id, session variables.'),
      old: secret('Its value before.'),
      new: secret('Its value after.'),
    }),
  },
})

const unmanagedData = declare({
  name: 'unmanaged_objects',
  description: 'Objects of the metadata that no one manages: all but those that are named here.',
  inputs: {
    managed: {
      description: 'Ids of what is managed, by kind.',
      type: { kind: 'map', of: { kind: 'set', of: { kind: 'string' } } },
      optional: true,
    },
  },
  outputs: {
    objects: listOf('In the order of the export.', {
      kind: optionalText('The kind of resource that can manage it, such as `table`.'),
      id: optionalText('The id to import it by.'),
      type: text('What kind of object it is in the metadata.'),
      name: text('Which one.'),
    }),
  },
})

const objectsData = declare({
  name: 'objects',
  description: 'All objects of a kind that are there, including those of other clients.',
  inputs: {
    kind: text('The kind of resource that stands for them, such as `table`.'),
    source: { ...optionalText('Only the objects of this source, and the source itself.'), refuses: 'empty' },
  },
  outputs: {
    objects: listOf('In the order of the export.', {
      id: text('The id to import it by.'),
      name: text('Which one.'),
      attributes: json('What its resource would have, by names of attributes in snake_case. Secrets are `***`.'),
    }),
  },
})

const previewData = declare({
  name: 'preview',
  description:
    'What a plan means for those who use the API: what the schema of each role gains, loses or changes, who reads and writes other rows, and which operations break. What breaks is a warning of the plan.',
  inputs: {
    after: {
      description:
        'Ids, or other known values, of the resources that are planned first; in Terraform by way of a local value. What is planned later all the same is warned of by itself.',
      type: { kind: 'list', of: { kind: 'string' } },
      optional: true,
    },
    warn: {
      description: 'What the plan warns of: `breaking`, or `any` change of the API.',
      type: { kind: 'string', choices: ['breaking', 'any'], name: 'PreviewWarning' },
      default: 'breaking',
      optional: true,
    },
  },
  outputs: {
    preview: json('As a dry run gives it, for policies.'),
    text: text('The same for people.'),
    breaking: { description: 'How many changes of schemas break clients.', type: 'integer' },
    breaking_used: {
      description: 'How many of these break what was used lately, where the engine counts usage.',
      type: 'integer',
    },
    broken_operations: { description: 'How many stored operations break.', type: 'integer' },
    complete: {
      description:
        'Whether all that was planned so far is in it: nothing waits for other objects or for values that only the apply knows.',
      type: 'boolean',
    },
  },
})

export const dataSources: readonly DataDeclaration[] = [
  metadataData,
  changesData,
  unmanagedData,
  objectsData,
  previewData,
  ...objectData,
]
