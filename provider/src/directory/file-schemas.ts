import {
  childTypesOf,
  defaultStyle,
  type JsonObject,
  kindsOfStyle,
  type NameStyle,
  type ObjectType,
  objectKinds,
} from '@svc/schema'
import { actionsFileSchema } from './actions-custom-types-schema.ts'
import { closed, ifThen, include, objectSchema, orIncluded, propertiesOf } from './object-json-schema.ts'

/** Where the schemas of a directory's files stand in it; other tools pass by what begins with a dot. */
export const schemasFolder = '.schemas'

/** The content of a file, for its schema. */
export type FileContent =
  | { readonly kind: 'version' }
  | { readonly kind: 'actions' }
  | { readonly kind: 'databases' }
  | { readonly kind: 'list' | 'object'; readonly type: ObjectType; readonly style?: NameStyle }

/** The name of its schema in `schemasFolder`. */
export function schemaFile(content: FileContent): string {
  switch (content.kind) {
    case 'version':
    case 'actions':
    case 'databases':
      return `${content.kind}.json`
    case 'list':
    case 'object': {
      const { list, singleton } = objectKinds[content.type]
      const own = content.kind === 'list' || singleton ? list : content.type
      const { style = 'public' } = content
      return style === 'public' ? `${own}.json` : `${own}-${style}.json`
    }
  }
}

/**
 * The JSON Schema (draft 7, which every editor knows) of a file of the directory, made of the declarations of metadata:
 * editors complete keys and mark those that are wrong (reference/metadata-directory#editors).
 */
export function fileSchema(content: FileContent): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf(content) }
}

function schemaOf(content: FileContent): JsonObject {
  switch (content.kind) {
    case 'version':
      return closed({ version: { const: 3 } }, ['version'])
    case 'actions':
      return actionsFileSchema()
    case 'databases':
      return { type: 'array', items: orIncluded(source()) }
    case 'list':
      return { type: 'array', items: orIncluded(objectSchema(content.type, content.style ?? 'public')) }
    case 'object':
      return objectSchema(content.type, content.style ?? 'public')
  }
}

/** A source of any kind: its tables and functions may stand in files of their own, with schemas of their own. */
function source(): JsonObject {
  const any = { type: 'array', items: { anyOf: [include, { type: 'object' }, { type: 'array' }] } }
  const inside = Object.fromEntries(childTypesOf('source').map((child) => [objectKinds[child].list, orIncluded(any)]))
  const styles = ['agent', 'dataset', 'dbo', 'public'] as const
  const known = Object.assign({}, ...styles.map((style) => propertiesOf(objectSchema('source', style)))) as JsonObject
  return {
    type: 'object',
    required: ['name'],
    properties: { ...known, ...inside, configuration: { type: 'object' } },
    additionalProperties: false,
    allOf: styles.filter((style) => style !== 'agent').map((style) => ofStyle(style, inside)),
  }
}

/** The schema of a source by its kind, which need not be named where it is the default one. */
function ofStyle(style: NameStyle, inside: JsonObject): JsonObject {
  const isOfStyle = { properties: { kind: { enum: kindsOfStyle(style) } } }
  return ifThen(style === defaultStyle ? isOfStyle : { ...isOfStyle, required: ['kind'] }, {
    properties: {
      ...propertiesOf(objectSchema('source', style)),
      ...Object.fromEntries(['tables', 'functions'].map((key) => [key, inside[key] ?? {}])),
    },
  })
}
