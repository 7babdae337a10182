import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface AskedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Runs the bare loop in a process of its own, which prints what it used. */
export async function measureLimit(
  databaseUrl: string,
  statements: readonly AskedStatement[],
  seconds: number,
): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('bare-loop.ts', import.meta.url))],
    {
      env: { ...process.env, DATABASE_URL: databaseUrl, SECONDS: String(seconds) },
      stdio: ['pipe', 'inherit', 'inherit'],
    },
  )
  child.stdin.end(JSON.stringify(statements))
  await once(child, 'exit')
}
