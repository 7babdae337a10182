/**
 * check: whether a project is right, without a server that is live (docs/check.md). Begin at check-project.ts. What stands in the
 * project is not trusted. Imports sandbox and permission-tests; prints nothing.
 */

export { CheckError } from './check-error.ts'
export { type CheckReport, checkProject, isRight, type ProjectPaths } from './check-project.ts'
export { writeGitTree } from './git-tree.ts'
export { refuseUnsafe } from './unsafe-files.ts'
