/** The queries: as GraphQL of ours, as the best SQL known, and as PostGraphile's GraphQL. */
import { storeId } from './store.ts'

export interface Query {
  readonly name: string
  /** The names of root fields and arguments are made by the engine. */
  readonly graphql: string
  /** With the parameter `$1`, and `$2` for the store; one text. */
  readonly sql: string
  readonly postgraphile: string
  /** The i-th value of the parameter. */
  readonly parameter: (i: number) => number | string
}

export const byKey: Query = {
  name: 'by key',
  graphql: 'query ($p: Int!) { track_by_pk(id: $p) { id name milliseconds unit_price } }',
  sql: `SELECT row_to_json(t)::text FROM (
    SELECT id, name, milliseconds, unit_price FROM track WHERE id = $1 AND store_id = $2) t`,
  postgraphile: 'query ($p: Int!) { trackByRowId(rowId: $p) { rowId name milliseconds unitPrice } }',
  parameter: (i) => 10_001 + ((i * 7919) % 3503),
}

export const list: Query = {
  name: '100 rows',
  graphql: `query ($p: Int!) { track(where: {id: {_gt: $p}}, order_by: {id: asc}, limit: 100) {
    id name composer milliseconds bytes unit_price } }`,
  sql: `SELECT array_to_json(ARRAY(SELECT t FROM (
    SELECT id, name, composer, milliseconds, bytes, unit_price FROM track
    WHERE id > $1 AND store_id = $2 ORDER BY id LIMIT 100) t))::text`,
  postgraphile: `query ($p: Int!) { allTracks(first: 100, orderBy: ROW_ID_ASC, condition: {storeId: ${storeId}}, filter: {rowId: {greaterThan: $p}}) {
    nodes { rowId name composer milliseconds bytes unitPrice } } }`,
  parameter: (i) => 10_000 + ((i * 7919) % 3400),
}

export const nested: Query = {
  name: '3 levels',
  graphql: `query ($p: Int!) { artist(where: {id: {_gt: $p}}, order_by: {id: asc}, limit: 50) {
    id name albums { id title tracks { id name milliseconds } } } }`,
  sql: `SELECT array_to_json(ARRAY(SELECT r FROM (
    SELECT a.id, a.name, ARRAY(SELECT b FROM (
      SELECT l.id, l.title, ARRAY(SELECT c FROM (
        SELECT t.id, t.name, t.milliseconds FROM track t WHERE t.album_id = l.id AND t.store_id = $2) c) AS tracks
      FROM album l WHERE l.artist_id = a.id AND l.store_id = $2) b) AS albums
    FROM (SELECT id, name FROM artist WHERE id > $1 AND store_id = $2 ORDER BY id LIMIT 50) a) r))::text`,
  postgraphile: `query ($p: Int!) { allArtists(first: 50, orderBy: ROW_ID_ASC, condition: {storeId: ${storeId}}, filter: {rowId: {greaterThan: $p}}) {
    nodes { rowId name albumsByArtistId(condition: {storeId: ${storeId}}) {
      nodes { rowId title tracksByAlbumId(condition: {storeId: ${storeId}}) { nodes { rowId name milliseconds } } } } } } }`,
  parameter: (i) => 1000 + ((i * 79) % 220),
}

export const aggregate: Query = {
  name: 'aggregate through a relationship',
  graphql: `query ($p: String!) { album(where: {artist: {name: {_like: $p}}}, order_by: {id: asc}) {
    id title tracks_aggregate { aggregate { count sum { milliseconds } avg { unit_price } } } } }`,
  sql: `SELECT array_to_json(ARRAY(SELECT r FROM (
    SELECT l.id, l.title, (
      SELECT w FROM (SELECT count(*) AS n, sum(t.milliseconds) AS s, avg(t.unit_price) AS v
        FROM track t WHERE t.album_id = l.id AND t.store_id = $2) x
      CROSS JOIN LATERAL (SELECT x.s AS milliseconds) s CROSS JOIN LATERAL (SELECT x.v AS unit_price) v
      CROSS JOIN LATERAL (SELECT x.n AS count, s AS sum, v AS avg) g CROSS JOIN LATERAL (SELECT g AS aggregate) w
    ) AS tracks_aggregate
    FROM album l JOIN artist a ON a.id = l.artist_id AND a.store_id = $2 AND a.name LIKE $1
    WHERE l.store_id = $2 ORDER BY l.id) r))::text`,
  postgraphile: `query ($p: String!) { allAlbums(orderBy: ROW_ID_ASC, condition: {storeId: ${storeId}}, filter: {artistByArtistId: {name: {like: $p}}}) {
    nodes { rowId title tracksByAlbumId(condition: {storeId: ${storeId}}) {
      aggregates { distinctCount { rowId } sum { milliseconds } average { unitPrice } } } } } }`,
  parameter: (i) => `Artist ${String.fromCharCode(65 + (i % 26))} %`,
}

export const sleeping: Query = {
  name: 'pg_sleep of 5 ms',
  graphql: 'query ($p: Int!) { track_by_pk(id: $p) { sleep_row } }',
  sql: 'SELECT row_to_json(t)::text FROM (SELECT sleep_row(track) FROM track WHERE id = $1 AND store_id = $2) t',
  postgraphile: '',
  parameter: byKey.parameter,
}

export const queries: readonly Query[] = [byKey, list, nested, aggregate]
