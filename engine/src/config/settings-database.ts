/** Where the engine stores its metadata; before the subcommand, used by all of them. */
import { integer, optionalInteger, text, textOr, toggle } from './value-kinds.ts'

export const databaseSettings = {
  databaseUrl: text({
    place: 'database',
    secret: true,
    placeholder: 'URL',
    help: 'PostgreSQL of the source "default", and of the metadata unless --metadata-database-url is given.',
  }),
  metadataDatabaseUrl: text({
    place: 'database',
    secret: true,
    placeholder: 'URL',
    help: 'PostgreSQL that stores the metadata.',
    shownDefault: 'database-url',
  }),
  embedded: toggle(false, {
    place: 'database',
    help: 'Start a PostgreSQL of its own for metadata and the source "default".',
  }),
  embeddedDataDirectory: textOr('.svc', {
    place: 'database',
    placeholder: 'DIRECTORY',
    help: 'Data directory of the embedded PostgreSQL.',
  }),
  embeddedPort: optionalInteger({
    place: 'database',
    least: 1,
    most: 65535,
    help: 'Makes the embedded PostgreSQL listen on this port of 127.0.0.1 as well.',
  }),
  sandbox: text({
    place: 'database',
    env: null,
    placeholder: 'DIRECTORY',
    help: 'With --embedded: a database that is thrown away and metadata that is not trusted. Nothing is called, no reference to the environment is resolved; remote schemas are the introspections in DIRECTORY.',
  }),
  host: text({ place: 'database', env: null, help: 'Instead of --database-url: its host.' }),
  port: optionalInteger({ place: 'database', env: null, short: 'p', most: 65535, help: 'Its port.' }),
  user: text({ place: 'database', env: null, short: 'u', help: 'Its user.' }),
  password: text({ place: 'database', env: null, secret: true, help: 'Its password.' }),
  dbname: text({ place: 'database', env: null, short: 'd', help: 'Its database.' }),
  pgConnectionOptions: text({ place: 'database', env: null, short: 'o', help: 'Its options (libpq).' }),
  retries: integer(1, {
    place: 'database',
    env: 'NO_OF_RETRIES',
    help: 'How often a failed connection to the metadata database is tried again at start, a second apart.',
  }),
} as const
