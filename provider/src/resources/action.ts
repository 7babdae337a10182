import './attribute-meta.ts'
import { defaultIgnoredClientHeaders, type Json, type JsonObject, namedTypeOf, parseGraphqlType } from '@svc/schema'
import { z } from 'zod'
import { isCustomTypeName } from './custom-type-name.ts'
import { defineResource, type Reference } from './define-resource.ts'
import { comment, isObject } from './in-table.ts'
import { op } from './operation.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { requestTransform, responseTransform, transformCodecs } from './webhook-transform.ts'
import { addedHeadersWriteOnly, headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

const graphqlType = (description: string) => z.string().min(1, 'must not be empty').meta({ description })

/** A field of GraphQL that a webhook answers (reference/metadata-operations#operations-on-actions). */
export const action = defineResource({
  kind: 'Action',
  type: 'action',
  description: 'A root field of GraphQL that a service of your own answers.',
  inputs: {
    name: z
      .string()
      .min(1, 'must not be empty')
      .meta({ description: 'Its name, which is also its field.', replace: true }),
    handler: z.string().min(1, 'must not be empty').meta({
      description: 'Address of the service. May name variables of the engine: `{{SHOP_URL}}/orders`.',
      at: 'definition.handler',
    }),
    type: z
      .enum(['mutation', 'query'])
      .default('mutation')
      .meta({ typeName: 'ActionType', description: 'Which root has the field.', at: 'definition.type' }),
    kind: z.enum(['synchronous', 'asynchronous']).default('synchronous').meta({
      typeName: 'ActionKind',
      description: 'Of a mutation: whether it answers at once, or with an id by which the answer is asked for.',
      at: 'definition.kind',
    }),
    arguments: z
      .array(
        z
          .object({
            name: z.string().min(1, 'must not be empty').meta({ description: 'Its name.' }),
            type: graphqlType('Its type, as GraphQL writes it: `[Item!]!`.'),
            description: z.string().optional().meta({ description: 'Its description in GraphQL.' }),
          })
          .meta({ typeName: 'ActionArgument' }),
      )
      .optional()
      .meta({ description: 'Its arguments.', at: 'definition.arguments' }),
    output_type: graphqlType('Type of the answer, as GraphQL writes it: an object or a scalar.').meta({
      at: 'definition.output_type',
    }),
    headers: outgoingHeaders('Headers it is called with.', 'definition.headers'),
    ...headersWriteOnly('headers', 'definition.headers'),
    forward_client_headers: z.boolean().default(false).meta({
      description: "Whether it gets the headers of the client's request.",
      at: 'definition.forward_client_headers',
    }),
    ignored_client_headers: z.array(z.string().min(1, 'must not be empty')).optional().meta({
      description: 'Those of them that it does not get. Without it those that belong to a connection or a body.',
      set: true,
      at: 'definition.ignored_client_headers',
    }),
    timeout: z.int().default(30).meta({ description: 'Seconds it may take.', at: 'definition.timeout' }),
    request_transform: requestTransform('definition.request_transform'),
    ...addedHeadersWriteOnly('definition.request_transform'),
    response_transform: responseTransform('definition.response_transform'),
    comment: comment.meta({ description: 'Description of its field in GraphQL.' }),
  },
  identity: ['name'],
  example: ['place_order'],
  codecs: { headers_wo: headersWriteOnlyCodec, ignored_client_headers: { decode: unlessUsual }, ...transformCodecs },
  standsBeside: true,
  dependsOn: (_, { definition }) => typesNamed(isObject(definition) ? definition : {}),
  create: (now) => [op('create_action', now)],
  update: (_, now) => [op('update_action', now)],
  delete: ({ name = null }) => [op('drop_action', { name })],
  sideEffects: ({ definition }, now) =>
    now === null && isObject(definition) && definition.kind === 'asynchronous'
      ? ['What the old one has answered so far will be deleted, and calls that are under way are lost.']
      : [],
})

/** The metadata always says which; the usual ones are what nobody has to write. */
function unlessUsual(headers: Json | undefined): Json | undefined {
  const isUsual =
    Array.isArray(headers) &&
    headers.length === defaultIgnoredClientHeaders.length &&
    defaultIgnoredClientHeaders.every((header) => headers.includes(header))
  return isUsual ? undefined : headers
}

/** The custom types of its answer and its arguments. */
function typesNamed({ output_type, arguments: args }: JsonObject): readonly Reference[] {
  const named = (text: Json | undefined, ...attribute: (string | number)[]): readonly Reference[] => {
    const type = typeof text === 'string' ? parseGraphqlType(text) : null
    const name = type && namedTypeOf(type)
    if (name === null || !isCustomTypeName(name)) return []
    return [{ to: 'custom-type', source: null, name, attribute }]
  }
  return [
    ...named(output_type, 'output_type'),
    ...(Array.isArray(args) ? (args as readonly Json[]) : []).flatMap((one, i) =>
      isObject(one) ? named(one.type, 'arguments', i, 'type') : [],
    ),
  ]
}
