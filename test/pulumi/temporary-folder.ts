import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is gone after the test. */
export function temporaryFolder(t: { after(cleanUp: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pulumi-'))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
