/**
 * permission-tests: what roles may do, as files next to the metadata (docs/permission-tests.md). Begin at read-tests.ts (the files)
 * and run-tests.ts (an engine that answers them). Imports directory and client; prints nothing.
 */
export { type Coverage, coverageOf } from './coverage.ts'
export { junitReport } from './junit-report.ts'
export { readTests, type TestFile } from './read-tests.ts'
export { liveEngine, runTests, sandboxEngine, type TestResult } from './run-tests.ts'
