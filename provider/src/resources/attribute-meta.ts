import 'zod'

/** What a declaration says of an input besides its zod type: `z.string().meta({ description: '…', replace: true })`. */
declare module 'zod' {
  interface GlobalMeta {
    /** In Markdown. Every input has one. */
    description?: string | undefined
    /** A change makes a new object in place of the old one. */
    replace?: boolean
    sensitive?: boolean
    /** Given at every run, stored nowhere. */
    writeOnly?: boolean
    /** A list whose order and repetitions say nothing. */
    set?: boolean
    /** What typed languages call an object or an enum that several kinds have. Without: after the kind and its place. */
    typeName?: string
    /** The setting of the provider that stands in where nothing is given; it comes before a default. */
    providerDefault?: 'default_source' | 'default_role'
    /** Any JSON: `z.unknown().meta({ json: true })`. `text`: also a bare text, which then is no JSON in a text. */
    json?: true | 'text'
    /** The sibling that stands in its place: where that is given, it has no default. */
    unless?: string
    /**
     * Where it stands in the object's own value: keys with dots between them. Without: under its own name. Null: not in
     * the value, as what names the objects above.
     */
    at?: string | null
  }
}
