/**
 * workers: several processes behind one port (--workers). Begin at worker-pool.ts, the parent, which starts workers,
 * replaces those that end and passes their messages to each other; worker-channel.ts is a worker's end of that, and
 * what the rest of the engine knows of it is the interface Peers. Imports config (errors), observe.
 */
export type { Peers } from './peers.ts'
export { joinParent } from './worker-channel.ts'
export { WorkerPool } from './worker-pool.ts'
