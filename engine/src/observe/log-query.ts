import type { QueryPlanned } from './request-observation.ts'

/** `detail` of a query-log line (reference/logs). */
export function queryLogDetail({ requestId, of, query, sql }: QueryPlanned): Record<string, unknown> {
  return {
    request_id: requestId,
    kind: of,
    query,
    generated_sql:
      sql &&
      Object.fromEntries(
        Object.entries(sql).map(([alias, { query: text, arguments: values }]) => [
          alias,
          { query: text, prepared_arguments: values },
        ]),
      ),
  }
}
