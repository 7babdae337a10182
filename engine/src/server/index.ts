/**
 * server: the engine put together, from a configuration to a server that answers, and back. Begin at start-server.ts:
 * it starts one capability after the other (a file each), and ends them in the reverse order. start-workers.ts is the
 * parent of several such processes behind one port. Imports all other modules.
 */
export { type RunningServer, startServer } from './start-server.ts'
export { startWorkers } from './start-workers.ts'
