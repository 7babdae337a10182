/**
 * postgres: the PostgreSQL backend. introspect/ reads the catalogue, types/ says what each type can do, compile/ makes
 * SQL of IR, connect/ sends it.
 */
import type { PostgresConfiguration } from '@svc/schema'
import { redactUrl } from '../../observe/index.ts'
import type { Backend, OpenableSource } from '../backend.ts'
import { compileMultiplexed } from './compile/compile-multiplexed.ts'
import { compileQuery } from './compile/compile-query.ts'
import { connect } from './connect/connect.ts'
import { isUnreachable, readFailure, unreachable } from './connect/from-sql-state.ts'
import { connectionSettings } from './connection-settings.ts'
import { enumShape } from './introspect/enum-shape.ts'
import { routingSettings } from './routing-settings.ts'
import { sourceKinds } from './source-kinds.ts'
import { typeSystem } from './types/type-system.ts'
import { prepareInserts } from './write/prepare-inserts.ts'
import { prepareWrite } from './write/prepare-write.ts'

export { connect } from './connect/connect.ts'
export { connectionUrl } from './connect/connection-url.ts'
export { connectionSettings } from './connection-settings.ts'

export const postgres = {
  kind: 'postgres',
  system: 'postgresql',
  kinds: sourceKinds,
  types: typeSystem,
  compileQuery,
  failures: { unreachable, isUnreachable, ofRead: readFailure },
  writes: { prepare: prepareWrite, prepareInserts },
  compileMultiplexed,
  enumShape,
  source(name, json, context): OpenableSource {
    const configuration = json as PostgresConfiguration
    const settings = connectionSettings(name, configuration, context.environment, context.defaults)
    const routing = routingSettings(name, configuration, context)
    return {
      key: JSON.stringify(settings),
      shown: redactUrl(settings.databaseUrl),
      open: (report) => connect(settings, report),
      ...(routing && { routing }),
    }
  },
} satisfies Backend
