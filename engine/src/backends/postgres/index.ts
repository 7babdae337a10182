/**
 * postgres: the PostgreSQL backend. introspect/ reads the catalogue, types/ says what each type can do, compile/ makes SQL
 * of IR, connect/ sends it.
 */
import type { Backend } from '../backend.ts'
import { compileMultiplexed } from './compile/compile-multiplexed.ts'
import { compileQuery } from './compile/compile-query.ts'
import { compileWrite } from './compile/compile-write.ts'
import { writeFailure } from './compile/write-failure.ts'
import { connect } from './connect/connect.ts'
import { enumShape } from './introspect/enum-shape.ts'
import { sourceKinds } from './source-kinds.ts'
import { typeSystem } from './types/type-system.ts'

export { connectionUrl } from './connect/connection-url.ts'

export const postgres: Backend = {
  kind: 'postgres',
  kinds: sourceKinds,
  types: typeSystem,
  enumShape,
  compileQuery,
  compileWrite,
  writeFailure,
  compileMultiplexed,
  connect,
}
