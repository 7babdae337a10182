/**
 * Settings that decide how a document is read, with the model. Limits keep hostile documents cheap; no honest client
 * meets them.
 */
export interface GraphqlSettings {
  /** Characters of a document: it is parsed at once. */
  readonly maxSize: number
  /** Lexical tokens of a document: bounds the parser. */
  readonly maxTokens: number
  /** Brackets, selection sets (fragments included) and input values inside one another: bounds every recursion. */
  readonly maxDepth: number
  /** Selections after fragments are expanded: bounds fragment and alias bombs. */
  readonly maxSelections: number
  /** Objects and list entries of structured arguments (where, order_by …): bounds the conditions of a statement. */
  readonly maxInputNodes: number
  /** Characters of all values in the statements of an operation, each counted wherever it is used. */
  readonly maxValuesSize: number
  /** Remote relationships inside one another: each level is a request more that the answer waits for. */
  readonly maxJoinDepth: number
  /** Different keys that are requested of other servers and sources at once. */
  readonly maxJoinRows: number
  /** Characters of introspection in one answer; 1,000 tables of ten columns take 33 million. */
  readonly maxIntrospectionSize: number
  /**
   * SVC_GRAPHQL_V1_BOOLEAN_NULL_COLLAPSE (reference/filters#boolean-expressions-in-graphql): a null operator value is
   * true.
   */
  readonly booleanNullCollapse: boolean
  /** SVC_GRAPHQL_BACKWARDS_COMPAT_NULL_IN_NONNULLABLE_VARIABLES (reference/queries#validation). */
  readonly nullInNonNullableVariables: boolean
  /**
   * Experimental no_null_unbound_variable_default (reference/queries#variables): what an absent variable stands for is
   * not there at all.
   */
  readonly unboundIsAbsent: boolean
  /** What is null in arguments of remote schemas is not sent (--remote-schema-skip-nulls). */
  readonly skipsRemoteNulls: boolean
  /**
   * Roles may send only queries in collections of the allow-list
   * (reference/stored-queries#collections-and-the-allow-list).
   */
  readonly enableAllowlist: boolean
}

export const defaultGraphqlSettings: GraphqlSettings = {
  maxSize: 1_048_576,
  maxTokens: 100_000,
  maxDepth: 200,
  maxSelections: 10_000,
  maxInputNodes: 20_000,
  maxValuesSize: 33_554_432,
  maxJoinDepth: 10,
  maxJoinRows: 50_000,
  maxIntrospectionSize: 300_000_000,
  booleanNullCollapse: false,
  nullInNonNullableVariables: false,
  unboundIsAbsent: false,
  skipsRemoteNulls: false,
  enableAllowlist: false,
}
