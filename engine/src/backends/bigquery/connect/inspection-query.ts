/** All tables of the datasets, each with its columns as a JSON text (bigquery_database_inspection). */
export function inspectionQuery(projectId: string, datasets: readonly string[]): string {
  return datasets
    .map((dataset) => {
      const view = (name: string) => `\`${projectId}.${dataset}.INFORMATION_SCHEMA.${name}\``
      return `SELECT t.*, c.columns FROM ${view('TABLES')} AS t LEFT OUTER JOIN (
  SELECT table_name, TO_JSON_STRING(ARRAY_AGG(STRUCT(column_name, data_type, is_nullable, ordinal_position)
    ORDER BY ordinal_position)) AS columns
  FROM ${view('COLUMNS')} GROUP BY table_name) AS c ON c.table_name = t.table_name`
    })
    .join('\nUNION ALL\n')
}
