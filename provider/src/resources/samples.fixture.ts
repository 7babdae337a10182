/**
 * Values of every kind for tests: `base` has a value in every attribute that can have one, `changes` another value for
 * each attribute. They fit the tables of `sampleTables`.
 */
import { action, actionPermission, customType, customTypes } from './action-samples.fixture.ts'
import {
  apiLimits,
  inheritedRole,
  introspectionOptions,
  metricsConfig,
  openTelemetry,
  tlsAllowlistEntry,
} from './engine-samples.fixture.ts'
import { computedField, functionPermission, trackedFunction } from './function-samples.fixture.ts'
import type { KindSample } from './kind-sample.fixture.ts'
import { logicalModel, logicalModelPermission, nativeQuery } from './logical-model-samples.fixture.ts'
import { deletePermission, insertPermission, selectPermission, updatePermission } from './permission-samples.fixture.ts'
import { allowlistEntry, queryCollection, restEndpoint } from './query-collection-samples.fixture.ts'
import { remoteSamples } from './remote-samples.fixture.ts'
import { source } from './source-sample.fixture.ts'
import { arrayRelationship, objectRelationship, table } from './table-samples.fixture.ts'
import { cronTrigger, eventTrigger } from './trigger-samples.fixture.ts'

export const sampleTables = `
  CREATE TABLE artist (id integer PRIMARY KEY, name text, owner text, UNIQUE (id, name));
  CREATE TABLE album (
    id integer PRIMARY KEY, artist_id integer REFERENCES artist, artist_name text, title text,
    producer_id integer UNIQUE REFERENCES artist, FOREIGN KEY (artist_id, artist_name) REFERENCES artist (id, name)
  );
  CREATE TABLE track (id integer PRIMARY KEY, album_id integer REFERENCES album, title text);
  CREATE TABLE genre (value text PRIMARY KEY, comment text);
  INSERT INTO genre VALUES ('rock', 'loud'), ('folk', 'not loud');
  CREATE SCHEMA shop;
  CREATE TABLE shop.album (id integer PRIMARY KEY, artist_id integer, title text);
  CREATE FUNCTION search_albums(word text, session json, other json) RETURNS SETOF album VOLATILE LANGUAGE sql
    AS 'SELECT * FROM album WHERE title = word';
  CREATE FUNCTION shop.search_albums(word text, session json, other json) RETURNS SETOF album VOLATILE LANGUAGE sql
    AS 'SELECT * FROM album WHERE title = word';
  CREATE FUNCTION artist_label(session json, own artist, same artist, other json) RETURNS text STABLE LANGUAGE sql
    AS 'SELECT own.name';
  CREATE FUNCTION shop.artist_label(session json, own artist, same artist, other json) RETURNS text STABLE LANGUAGE sql
    AS 'SELECT own.name';
  CREATE FUNCTION album_label(album) RETURNS text STABLE LANGUAGE sql AS 'SELECT $1.title';`

/**
 * `databaseUrl`: of a database with `sampleTables`; `urlFile` holds it. `remoteUrl`: of a GraphQL server with
 * `sampleRemote`, which the variable SVC_TEST_REMOTE_URL of the engine holds.
 */
export const samples = (
  databaseUrl: string,
  urlFile = '/run/secrets/url',
  remoteUrl = 'http://localhost:1/graphql',
): readonly KindSample[] => [
  source(databaseUrl, urlFile),
  table,
  objectRelationship,
  arrayRelationship,
  computedField,
  trackedFunction,
  logicalModel,
  nativeQuery,
  selectPermission,
  insertPermission,
  updatePermission,
  deletePermission,
  logicalModelPermission,
  functionPermission,
  ...remoteSamples(remoteUrl),
  inheritedRole,
  queryCollection,
  allowlistEntry,
  restEndpoint,
  eventTrigger,
  cronTrigger,
  customTypes,
  customType,
  action,
  actionPermission,
  apiLimits,
  metricsConfig,
  introspectionOptions,
  openTelemetry,
  tlsAllowlistEntry,
]
