/** What is worth telling about the embedded database. */
export type EmbeddedObservation =
  | { readonly kind: 'embedded-moved'; readonly asked: string; readonly directory: string; readonly user: string }
  | { readonly kind: 'embedded-initialising'; readonly directory: string }
  | { readonly kind: 'embedded-leftover-stopped'; readonly pid: number }
  | {
      readonly kind: 'embedded-started'
      readonly directory: string
      /** The account PostgreSQL runs under in place of root; null when it is our own. */
      readonly user: string | null
      readonly pid: number
      readonly log: string
      readonly milliseconds: number
    }
  | { readonly kind: 'embedded-stopped'; readonly directory: string }
