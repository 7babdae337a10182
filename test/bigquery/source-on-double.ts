import type { StatementShape } from '../../engine/src/backends/bigquery/statement-shape.ts'
import { bigquery, type SourceConnection, type Statement } from '../../engine/src/backends/index.ts'
import type { Observation } from '../../engine/src/observe/index.ts'
import type { RestDouble } from './rest-double.ts'

export interface OpenedSource {
  readonly source: SourceConnection
  readonly observations: readonly Observation[]
}

/** A source of the double's project, with retries after pauses of a microsecond. */
export async function openSource(
  double: RestDouble,
  more: Readonly<Record<string, unknown>> = {},
): Promise<OpenedSource> {
  const observations: Observation[] = []
  const configuration = {
    service_account: double.account.json,
    project_id: double.project,
    datasets: ['music'],
    retry_base_delay: 1,
    ...more,
  }
  const context = {
    environment: {},
    defaults: {
      usePreparedStatements: true,
      bigquery: { apiEndpoint: double.url, tokenEndpoint: double.tokenUrl },
    },
  }
  const source = await bigquery.source('bq', configuration, context).open((one) => observations.push(one))
  return { source, observations }
}

/** A statement whose rows have one column of text, `name`. */
export const namesOf = (text: string): Statement => {
  const shape: StatementShape = {
    parameters: [],
    answer: {
      kind: 'rows',
      members: [{ key: 'name', of: { kind: 'scalar', type: 'text', list: false } }],
    },
  }
  return { text, slots: [], effects: 'none', shape }
}
