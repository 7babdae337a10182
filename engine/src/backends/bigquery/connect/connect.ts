import type { Observation } from '../../../observe/index.ts'
import type { SourceConnection } from '../../backend.ts'
import type { SourceSettings } from '../source-settings.ts'

export async function connect(_: SourceSettings, __: (observation: Observation) => void): Promise<SourceConnection> {
  throw new Error('not yet')
}
