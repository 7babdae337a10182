/** PostGraphile 5 over the same database, with a pool of 10. It listens on PORT and takes DATABASE_URL. */
import { createServer } from 'node:http'
import { PgAggregatesPreset } from '@graphile/pg-aggregates'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter'

const instance = postgraphile({
  extends: [PostGraphileAmberPreset, PostGraphileConnectionFilterPreset, PgAggregatesPreset],
  pgServices: [
    makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'], poolConfig: { max: 10 } }),
  ],
  grafserv: { maxRequestLength: 10_000_000, graphiql: false, watch: false, graphqlOverGET: false },
  // columns without an index may be filtered by too
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  schema: { defaultBehavior: process.env.MUTATIONS === 'true' ? '' : '-mutation', connectionFilterRelations: true },
})
const server = createServer()
await instance.createServ(grafserv).addTo(server)
server.listen(Number(process.env.PORT), '127.0.0.1')
