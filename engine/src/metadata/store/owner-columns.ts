/** Owners as the rows of the catalogue have them. */
export type OwnerOfObject = readonly [address: string, owner: string | null]

/** Rows of a table with their owners; maintenance mode serves catalogues of before there were any, which have none. */
export const withOwners = (table: 'metadata_object' | 'change_log'): string =>
  // a column that the table does not have is that of the query around
  `(SELECT NULL::text AS owner) AS no_owner CROSS JOIN LATERAL (SELECT t.*, owner AS owned_by FROM svc_catalog.${table} t) AS o`
