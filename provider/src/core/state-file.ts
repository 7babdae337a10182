import { readFile, rename, writeFile } from 'node:fs/promises'
import { isRecord } from '@svc/schema'

/** Where a drift check begins (docs/drift.md). */
export interface State {
  readonly endpoint: string
  readonly catalogId: string
  readonly resourceVersion: number
}

export class StateError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StateError'
  }
}

/** Throws StateError with a line for people. */
export async function readState(file: string, shown: string = file): Promise<State> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StateError(
      error.code === 'ENOENT'
        ? `there is no ${shown}: make it with \`svc metadata apply --state ${shown}\` or \`svc drift --state ${shown} --accept\``
        : `cannot read ${shown}: ${error.code}`,
    )
  })
  const json = parse(text)
  if (!isRecord(json) || json.version !== 1) throw new StateError(`${shown} is no state file of version 1`)
  const { endpoint, catalog_id, resource_version } = json
  if (typeof endpoint !== 'string' || typeof catalog_id !== 'string' || !Number.isInteger(resource_version))
    throw new StateError(`${shown} is no state file: it needs endpoint, catalog_id and resource_version`)
  return { endpoint, catalogId: catalog_id, resourceVersion: Number(resource_version) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Throws StateError where `file` contains anything but a state of ours, which `writeState` would replace. */
export async function refuseOtherFile(file: string, shown: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const json = parse(text)
  if (text.trim() === '' || (isRecord(json) && json.version === 1 && typeof json.catalog_id === 'string')) return
  throw new StateError(`${shown} is no state file of svc, and would be overwritten: name another file`)
}

/** Replaces the file whole. Throws StateError. */
export async function writeState(file: string, { endpoint, catalogId, resourceVersion }: State): Promise<void> {
  const json = { version: 1, endpoint, catalog_id: catalogId, resource_version: resourceVersion }
  try {
    await writeFile(`${file}.${process.pid}.new`, `${JSON.stringify(json, null, 2)}\n`)
    await rename(`${file}.${process.pid}.new`, file)
  } catch (error) {
    throw new StateError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
}
