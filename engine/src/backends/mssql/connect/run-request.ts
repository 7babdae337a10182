import type { Request } from './load-client.ts'

/** Cells as the client has them: texts, numbers, booleans, dates, bytes. */
export type Cells = readonly unknown[]

export interface ResultSet {
  readonly columns: readonly { readonly name: string; readonly type: unknown; readonly scale?: number | undefined }[]
  readonly rows: readonly Cells[]
}

/**
 * Sends a request and returns what it gives, in the order of the statements. Aborted, it is cancelled on the server, and
 * rejects with the signal's reason once the server has said so: the connection may be used again then.
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

/** In array mode the client has the columns of each set beside the sets. */
function resultSets(result: unknown): readonly ResultSet[] {
  const { recordsets, columns } = result as {
    readonly recordsets: readonly (readonly object[])[]
    readonly columns: readonly ResultSet['columns'][]
  }
  return recordsets.map((rows, i) => ({
    columns: columns[i] ?? [],
    // JSON that the server cut into rows is one object, put together by the client
    rows: rows.map((row) => (Array.isArray(row) ? row : Object.values(row))),
  }))
}
