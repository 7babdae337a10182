import type { Request } from './load-client.ts'

/** Cells as the client has them: texts, numbers, booleans, dates, bytes. */
type Cells = readonly unknown[]

export interface ResultSet {
  readonly columns: readonly { readonly name: string; readonly type: unknown; readonly scale?: number | undefined }[]
  readonly rows: readonly Cells[]
}

/**
 * Sends a request and returns the results of its statements, in their order. When aborted, it is cancelled on the
 * server and rejects with the signal's reason once the server has said so: the connection may be used again then.
 */
export async function runRequest(
  request: Request,
  send: (request: Request) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<readonly ResultSet[]> {
  signal?.throwIfAborted()
  request.arrayRowMode = true
  const cancel = () => request.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return resultSets(await send(request))
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** The client has the columns of a set at the set itself: of batches, nowhere else. */
function resultSets(result: unknown): readonly ResultSet[] {
  const { recordsets } = result as {
    readonly recordsets: readonly (readonly object[] & { readonly columns?: ResultSet['columns'] })[]
  }
  return recordsets.map((rows) => ({
    columns: rows.columns ?? [],
    // JSON that the server cut into rows is one object, put together by the client
    rows: rows.map((row) => (Array.isArray(row) ? row : Object.values(row))),
  }))
}
