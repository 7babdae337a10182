/**
 * cli: the `svc` command. Begin at run-cli.ts; commands/ has one file a command. Reads and writes only through the
 * Terminal that is passed to it.
 */
export { runCli } from './run-cli.ts'
