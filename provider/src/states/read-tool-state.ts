import { isRecord } from '@svc/schema'
import { StateError } from '../core/index.ts'
import { isPulumiExport, readPulumiExport } from './pulumi-export.ts'
import { isTerraformState, readTerraformState } from './terraform-state.ts'
import type { ToolState } from './tool-state.ts'

/** The state of a tool, if a file's text is one; null: it is something else. Throws StateError, with `shown` as its name. */
export function readToolState(text: string, shown: string): ToolState | null {
  const json = parse(text)
  if (!isRecord(json)) return null
  if ('encrypted_data' in json) throw new StateError(`${shown} is encrypted: give what \`tofu state pull\` writes`)
  try {
    if (isPulumiExport(json)) return readPulumiExport(json)
    if (isTerraformState(json)) return readTerraformState(json)
    return null
  } catch (error) {
    if (error instanceof StateError) throw new StateError(`cannot compare with ${shown}: ${error.message}`)
    throw error
  }
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
