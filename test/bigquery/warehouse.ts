/** The tables of examples/bigquery-warehouse on a double of BigQuery's API. */
import { type RestDouble, startRestDouble } from './rest-double.ts'

const table = (columns: Readonly<Record<string, string>>) => ({
  type: 'TABLE',
  schema: { fields: Object.entries(columns).map(([name, type]) => ({ name, type, mode: 'NULLABLE' })) },
})

/** `env`: of an engine that reads it there, with the key of its account. */
export async function startWarehouse(
  t: Parameters<typeof startRestDouble>[0],
): Promise<{ readonly double: RestDouble; readonly env: Readonly<Record<string, string>> }> {
  const double = await startRestDouble(t)
  double.tables.set(
    'sales',
    new Map([
      ['product', table({ id: 'INT64', name: 'STRING', category: 'STRING' })],
      ['order', table({ id: 'INT64', country: 'STRING', placed_on: 'DATE', total: 'NUMERIC' })],
      ['order_line', table({ order_id: 'INT64', product_id: 'INT64', quantity: 'INT64' })],
    ]),
  )
  double.routines.set('sales', [
    {
      routineReference: { projectId: double.project, datasetId: 'sales', routineId: 'similar_orders' },
      routineType: 'TABLE_VALUED_FUNCTION',
      arguments: [{ name: 'order_id', dataType: { typeKind: 'INT64' } }],
    },
  ])
  const env = {
    SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: double.url,
    SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: double.tokenUrl,
    WAREHOUSE_KEY: JSON.stringify(double.account.json),
    WAREHOUSE_PROJECT: double.project,
  }
  return { double, env }
}
