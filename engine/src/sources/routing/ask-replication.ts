import type { Replication, SourceConnection } from '../../backends/index.ts'

/** As `SourceConnection.replication`; a backend whose sources have replicas has that part. */
export async function askReplication(
  connection: SourceConnection,
  signal: AbortSignal,
  understands?: string,
): Promise<Replication> {
  if (!connection.replication)
    throw new Error('the backend routes requests to replicas, and cannot say how far they are')
  return connection.replication(signal, understands)
}
