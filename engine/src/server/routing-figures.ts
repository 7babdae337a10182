import type { ConnectionCounts } from '../backends/index.ts'
import type { Metrics } from '../metrics/index.ts'
import type { Routing, SourceState } from '../sources/index.ts'

/**
 * Adds the figures of what requests are routed to instead of a source itself: read replicas and members of connection
 * sets.
 */
export function routingFigures(metrics: Metrics, sources: () => readonly SourceState[]): void {
  const routings = (): readonly Routing[] =>
    sources().flatMap((state) => (state.status === 'ready' && state.routing ? [state.routing] : []))
  const replicas = () =>
    routings().flatMap(({ parts: { source, replicas } }) =>
      replicas.map((replica) => ({ labels: { source, replica: replica.pool.address }, replica })),
    )
  metrics.gauge({
    name: 'svc_replica_up',
    help: 'Whether a read replica is asked, 1 or 0: not while it is unavailable, too far behind or different.',
    labels: ['source', 'replica'],
    together: 'min',
    read: () => replicas().map(({ labels, replica }) => ({ labels, value: replica.state.kind === 'serving' ? 1 : 0 })),
  })
  metrics.gauge({
    name: 'svc_replica_lag_seconds',
    help: 'How far a read replica that is asked was behind its source when it was read last.',
    labels: ['source', 'replica'],
    together: 'max',
    read: () =>
      replicas().flatMap(({ labels, replica: { state } }) =>
        state.kind === 'serving' ? [{ labels, value: state.lag / 1000 }] : [],
      ),
  })
  metrics.gauge({
    name: 'svc_replica_connections',
    help: 'Connections of a read replica by state; requests that wait for one.',
    labels: ['source', 'replica', 'state'],
    read: () => replicas().flatMap(({ labels, replica }) => byState(labels, replica.connection.connections())),
  })
  metrics.gauge({
    name: 'svc_connection_set_connections',
    help: 'Connections of a member of a connection set by state; requests that wait for one.',
    labels: ['source', 'member', 'state'],
    read: () =>
      routings().flatMap(({ parts: { source, members } }) =>
        [...members].flatMap(([member, connection]) => byState({ source, member }, connection.connections())),
      ),
  })
}

/** Returns the readings of a gauge of connections, one for each of their states. */
export const byState = <Labels extends object>(labels: Labels, { open, idle, waiting }: ConnectionCounts) =>
  Object.entries({ open, idle, waiting }).map(([state, value]) => ({ labels: { ...labels, state }, value }))
