/** `${source}/${ownKey of table}` with the source escaped like a name. */
export type TableId = string

/** `${source}/${ownKey of function}`, escaped as in a TableId. */
export type FunctionId = string

/** `${source}/${ownKey}`, escaped as in a TableId. */
export type NativeQueryId = string
