/** The schema of another GraphQL server as plain data, under its own names (reference/remote-schemas). */
export interface RemoteTypes {
  readonly types: ReadonlyMap<string, RemoteType>
  readonly roots: RemoteRoots
}

/** Names of the root types. */
export interface RemoteRoots {
  readonly query: string
  readonly mutation: string | null
  readonly subscription: string | null
}

export type RemoteType =
  | { readonly kind: 'SCALAR'; readonly name: string; readonly description: string | null }
  | RemoteEnum
  | RemoteObject
  | RemoteInterface
  | RemoteUnion
  | RemoteInputObject

interface RemoteEnum {
  readonly kind: 'ENUM'
  readonly name: string
  readonly description: string | null
  readonly values: readonly RemoteEnumValue[]
}

interface RemoteEnumValue {
  readonly name: string
  readonly description: string | null
}

export interface RemoteObject {
  readonly kind: 'OBJECT'
  readonly name: string
  readonly description: string | null
  readonly fields: ReadonlyMap<string, RemoteField>
  readonly interfaces: readonly string[]
}

export interface RemoteInterface {
  readonly kind: 'INTERFACE'
  readonly name: string
  readonly description: string | null
  readonly fields: ReadonlyMap<string, RemoteField>
  readonly interfaces: readonly string[]
  readonly possibleTypes: readonly string[]
}

export interface RemoteUnion {
  readonly kind: 'UNION'
  readonly name: string
  readonly description: string | null
  readonly members: readonly string[]
}

interface RemoteInputObject {
  readonly kind: 'INPUT_OBJECT'
  readonly name: string
  readonly description: string | null
  readonly fields: ReadonlyMap<string, RemoteInput>
}

export interface RemoteField {
  readonly name: string
  readonly description: string | null
  readonly args: ReadonlyMap<string, RemoteInput>
  readonly type: RemoteTypeRef
}

/** An argument or a field of an input object. */
export interface RemoteInput {
  readonly name: string
  readonly description: string | null
  readonly type: RemoteTypeRef
  /** As GraphQL text. */
  readonly defaultValue: string | null
}

export type RemoteTypeRef =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list'; readonly of: RemoteTypeRef }
  | { readonly kind: 'non-null'; readonly of: RemoteTypeRef }

/** `[Person!]` */
export function refText(ref: RemoteTypeRef): string {
  switch (ref.kind) {
    case 'named':
      return ref.name
    case 'list':
      return `[${refText(ref.of)}]`
    case 'non-null':
      return `${refText(ref.of)}!`
  }
}

export const namedTypeOf = (ref: RemoteTypeRef): string => (ref.kind === 'named' ? ref.name : namedTypeOf(ref.of))

export const builtInScalars: ReadonlySet<string> = new Set(['Int', 'Float', 'String', 'Boolean', 'ID'])
