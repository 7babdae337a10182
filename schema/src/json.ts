/** JSON as data. Documents are immutable: no one changes a value after it was read. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}
