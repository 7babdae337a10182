/**
 * sandbox: an engine with a database of its own that is thrown away, made from a project's migrations, seeds and metadata.
 * Begin at open-sandbox.ts. What stands in the project is not trusted: nothing is called, and no variable of the environment
 * reaches the engine. Imports client, directory and migrations.
 */

export { openSandbox, type Sandbox, type SandboxProject } from './open-sandbox.ts'
export { SandboxError } from './problem.ts'
export { readLogLine } from './start-engine.ts'
