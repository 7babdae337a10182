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

interface Described {
  readonly name: string
  readonly description: string | null
}

export type RemoteType = RemoteScalar | RemoteEnum | RemoteObject | RemoteInterface | RemoteUnion | RemoteInputObject

interface RemoteScalar extends Described {
  readonly kind: 'SCALAR'
}

interface RemoteEnum extends Described {
  readonly kind: 'ENUM'
  readonly values: readonly Described[]
}

export interface RemoteObject extends Described {
  readonly kind: 'OBJECT'
  readonly fields: ReadonlyMap<string, RemoteField>
  readonly interfaces: readonly string[]
}

export interface RemoteInterface extends Described {
  readonly kind: 'INTERFACE'
  readonly fields: ReadonlyMap<string, RemoteField>
  readonly interfaces: readonly string[]
  readonly possibleTypes: readonly string[]
}

export interface RemoteUnion extends Described {
  readonly kind: 'UNION'
  readonly members: readonly string[]
}

interface RemoteInputObject extends Described {
  readonly kind: 'INPUT_OBJECT'
  readonly fields: ReadonlyMap<string, RemoteInput>
}

export interface RemoteField extends Described {
  readonly args: ReadonlyMap<string, RemoteInput>
  readonly type: RemoteTypeRef
}

/** An argument or a field of an input object. */
export interface RemoteInput extends Described {
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

/** Returns a field of an object or interface; undefined where there is no such type or field. */
export function outputField({ types }: RemoteTypes, typeName: string, name: string): RemoteField | undefined {
  const type = types.get(typeName)
  return type?.kind === 'OBJECT' || type?.kind === 'INTERFACE' ? type.fields.get(name) : undefined
}

export const builtInScalars: ReadonlySet<string> = new Set(['Int', 'Float', 'String', 'Boolean', 'ID'])
