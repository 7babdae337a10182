/**
 * cli: the `svc` command. Begin at run-cli.ts; commands/ has one file a command. Reads and writes only through the
 * Terminal it is given.
 */
export { runCli } from './run-cli.ts'
