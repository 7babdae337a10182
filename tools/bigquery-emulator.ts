/**
 * `npm run bigquery-emulator`: builds the emulator of BigQuery that tests run against, of its Go module, into ~/.cache/svc.
 * What exists already is not built again. Five to fourteen minutes on two cores and 6.6 GB of disk, once.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { emulatorFile, emulatorModule, isEmulatorBuilt } from './bigquery-emulator/program.ts'

if (!isEmulatorBuilt()) {
  console.log(`building ${emulatorFile}`)
  mkdirSync(dirname(emulatorFile), { recursive: true })
  const unfinished = `${emulatorFile}.${process.pid}`
  const main = 'github.com/goccy/bigquery-emulator/cmd/bigquery-emulator'
  const go = spawnSync('go', ['build', '-mod=readonly', '-trimpath', '-ldflags=-s -w', '-o', unfinished, main], {
    cwd: emulatorModule,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
  })
  if (go.error) throw new Error('go was not found: it builds the emulator of BigQuery')
  if (go.status !== 0) process.exit(1)
  renameSync(unfinished, emulatorFile)
}
