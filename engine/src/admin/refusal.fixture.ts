/** A request, and all that its refusal says but `internal`. */
export interface Refusal {
  readonly of: string
  readonly ask: object
  readonly status?: number
  readonly code: string
  readonly path: string
  readonly error: string
  readonly endpoint?: '/v1/metadata' | '/v1/query' | '/v2/query'
  readonly role?: string
}

export const op = (type: string, args?: unknown, more: object = {}) => ({
  type,
  ...(args !== undefined && { args }),
  ...more,
})
export const album = { schema: 'public', name: 'album' }
export const toArtist = { foreign_key_constraint_on: 'artist_id' }
export const inconsistent = 'Inconsistent object: '

export const permission = (more: object, table: unknown = 'album') =>
  op('pg_create_select_permission', { table, role: 'new', permission: { columns: ['id'], filter: {}, ...more } })
