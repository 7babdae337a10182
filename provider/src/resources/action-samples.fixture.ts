/** Actions, who may call them, and their types. */
import { type KindSample, named } from './kind-sample.fixture.ts'
import { noRequestTransform } from './no-request-transform.fixture.ts'
import type { Values } from './value.ts'
import { given, none } from './write-only-samples.fixture.ts'

const field = (name: string, type: string, description: string | null = null): Values => ({ name, type, description })

export const customTypes: KindSample = {
  kind: 'CustomTypes',
  base: {
    input_objects: [{ name: 'Item', description: 'What is bought', fields: [field('sku', 'String!', 'Its number')] }],
    objects: [
      {
        name: 'Order',
        description: null,
        fields: [field('number', 'Int!'), field('artist_id', 'Int!'), field('parts', '[Order!]')],
        relationships: [
          {
            name: 'artist',
            type: 'object',
            source: 'default',
            remote_table: named('artist'),
            field_mapping: { artist_id: 'id' },
          },
        ],
      },
    ],
    scalars: [{ name: 'Money', description: 'In cents' }],
    enums: [
      {
        name: 'Shipping',
        description: null,
        values: [{ value: 'SLOW', description: 'By ship', is_deprecated: false }],
      },
    ],
  },
  changes: {
    input_objects: { input_objects: null },
    objects: { objects: [{ name: 'Order', fields: [{ name: 'number', type: 'Int!' }] }] },
    scalars: { scalars: [{ name: 'Money' }, { name: 'Weight' }] },
    enums: { enums: [{ name: 'Shipping', values: [{ value: 'FAST', is_deprecated: true }] }] },
  },
  respelled: [
    {
      input_objects: [
        {
          name: 'Item',
          description: 'What is bought',
          fields: [{ name: 'sku', type: 'String!', description: 'Its number' }],
        },
      ],
    },
  ],
}

const noShape: Values = { input_fields: null, fields: null, relationships: null, values: null }

export const customType: KindSample = {
  kind: 'CustomType',
  base: {
    name: 'Receipt',
    description: 'What was paid',
    input_fields: null,
    fields: [field('number', 'Int!', 'Of the receipt'), field('artist_id', 'Int!')],
    relationships: [
      {
        name: 'artist',
        type: 'object',
        source: 'default',
        remote_table: named('artist'),
        field_mapping: { artist_id: 'id' },
      },
    ],
    values: null,
    scalar: false,
  },
  changes: {
    name: { name: 'Invoice' },
    description: { description: null },
    input_fields: { ...noShape, input_fields: [{ name: 'number', type: 'Int!' }] },
    fields: {
      fields: [
        { name: 'artist_id', type: 'Int!' },
        { name: 'total', type: 'Float' },
      ],
    },
    relationships: { relationships: null },
    values: { ...noShape, values: [{ value: 'PAID' }] },
    scalar: { ...noShape, scalar: true },
  },
  respelled: [
    {
      relationships: [
        { name: 'artist', type: 'object', remote_table: { name: 'artist' }, field_mapping: { artist_id: 'id' } },
      ],
    },
  ],
}

/** Of types that every engine has. */
export const action: KindSample = {
  kind: 'Action',
  base: {
    name: 'shout',
    handler: '{{SVC_TEST_OTHER_URL}}/shout',
    type: 'mutation',
    kind: 'asynchronous',
    arguments: [{ name: 'words', type: '[String!]!', description: 'What to shout' }],
    output_type: 'String',
    headers: [{ name: 'x-who', value: 'the provider', value_from_env: null }],
    ...none('headers'),
    ...none('request_transform_add_headers'),
    forward_client_headers: true,
    ignored_client_headers: ['Cookie'],
    timeout: 5,
    request_transform: { ...noRequestTransform, method: 'PUT' },
    response_transform: { body: { action: 'transform', template: '{{$body}}', form_template: null } },
    comment: 'Says it aloud',
  },
  changes: {
    name: { name: 'whisper' },
    handler: { handler: 'http://localhost:1/shout' },
    type: { type: 'query', kind: 'synchronous' },
    kind: { kind: 'synchronous' },
    arguments: { arguments: [{ name: 'word', type: 'String' }] },
    output_type: { output_type: '[String!]!' },
    headers: { headers: [{ name: 'x-key', value_from_env: 'SVC_TEST_OTHER_URL' }] },
    ...given('headers'),
    forward_client_headers: { forward_client_headers: null },
    ignored_client_headers: { ignored_client_headers: null },
    timeout: { timeout: null },
    request_transform: { request_transform: null },
    ...given('request_transform_add_headers'),
    response_transform: { response_transform: null },
    comment: { comment: null },
  },
  respelled: [{ ignored_client_headers: ['Cookie', 'Cookie'] }, { request_transform: { method: 'PUT' } }],
}

/** Of the actions shout and sing. */
export const actionPermission: KindSample = {
  kind: 'ActionPermission',
  base: { action: 'shout', role: 'user', comment: 'Everybody may' },
  changes: { action: { action: 'sing' }, role: { role: 'guest' }, comment: { comment: null } },
  respelled: [],
}
