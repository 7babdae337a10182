import { defaultIgnoredClientHeaders, isRecord, type Json, type JsonObject, recordOf, recordsIn } from '@svc/schema'
import { filled, identifying, within } from './attributes-of.ts'
import { customTypeReference } from './custom-type-reference.ts'
import { defineResource, type Reference } from './define-resource.ts'
import { operations } from './operation.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { requestTransform, responseTransform, transformCodecs } from './webhook-transform.ts'
import { addedHeadersWriteOnly, headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

/** A field of GraphQL that a webhook answers (reference/metadata-operations#operations-on-actions). */
export const action = defineResource({
  kind: 'Action',
  type: 'action',
  description: 'A root field of GraphQL that a service of your own answers.',
  inputs: {
    name: identifying('Its name, which is also its field.'),
    ...within('definition', {
      handler: filled('Address of the service. May name variables of the engine: `{{SHOP_URL}}/orders`.'),
      type: { description: 'Which root has the field.', typeName: 'ActionType' },
      kind: {
        description: 'Of a mutation: whether it answers at once, or with an id by which the answer is requested.',
        typeName: 'ActionKind',
      },
      arguments: {
        description: 'Its arguments.',
        typeName: 'ActionArgument',
        of: {
          name: filled('Its name.'),
          type: filled('Its type, as GraphQL writes it: `[Item!]!`.'),
          description: 'Its description in GraphQL.',
        },
      },
      output_type: filled('Type of the answer, as GraphQL writes it: an object or a scalar.'),
      headers: outgoingHeaders('Headers it is called with.'),
      ...headersWriteOnly('headers', 'headers'),
      forward_client_headers: "Whether it gets the headers of the client's request.",
      ignored_client_headers: {
        description: 'Those of them that it does not get. Without it those that belong to a connection or a body.',
        set: true,
      },
      timeout: 'Seconds it may take.',
      request_transform: requestTransform,
      ...addedHeadersWriteOnly,
      response_transform: responseTransform,
    }),
    comment: 'Description of its field in GraphQL.',
  },
  identity: ['name'],
  example: ['place_order'],
  codecs: { headers_wo: headersWriteOnlyCodec, ignored_client_headers: { decode: unlessUsual }, ...transformCodecs },
  createBeforeDelete: true,
  dependsOn: (_, { definition }) => typesNamed(recordOf(definition)),
  ...operations('create_action', 'update_action', 'drop_action', 'name'),
  sideEffects: ({ definition }, now) =>
    now === null && isRecord(definition) && definition.kind === 'asynchronous'
      ? ['What the old one has answered so far will be deleted, and calls that are under way are lost.']
      : [],
})

/** The metadata always says which; the usual ones are what no one has to write. */
function unlessUsual(headers: Json | undefined): Json | undefined {
  const isUsual =
    Array.isArray(headers) &&
    headers.length === defaultIgnoredClientHeaders.length &&
    defaultIgnoredClientHeaders.every((header) => headers.includes(header))
  return isUsual ? undefined : headers
}

/** The custom types of its answer and its arguments. */
const typesNamed = ({ output_type, arguments: args }: JsonObject): readonly Reference[] => [
  ...customTypeReference(output_type, 'output_type'),
  ...recordsIn(args).flatMap(({ type }, i) => customTypeReference(type, 'arguments', i, 'type')),
]
