import type { JsonObject } from '@svc/schema'
import type { Model } from './model.ts'
import { inputOf, music, type TableSketch } from './music.fixture.ts'
import { updateModel } from './update-model.ts'

export const build = (tables: readonly JsonObject[], sketches: Readonly<Record<string, TableSketch>> = music): Model =>
  updateModel(null, inputOf(tables, sketches))

/** Every inconsistency: name, reason, cause, and where in the value. */
export const reported = (model: Model) =>
  [...model.inconsistencies]
    .map(([key, object]) => {
      const fault = model.faults.get(key)
      return [object.name, object.reason, fault?.cause, fault?.at.join('.')]
    })
    .sort()

export const artist = { table: 'artist' }
export const album = { table: 'album' }
export const relationship = (name: string, using: JsonObject) => ({ name, using })
export const select = (permission: JsonObject) => ({
  select_permissions: [{ role: 'user', permission: { columns: '*', filter: {}, ...permission } }],
})

/** [what it shows, tables, name, reason, cause, at] of the only inconsistency. */
export type Case = readonly [string, readonly JsonObject[], string, string, string, string]

export const onArtist = 'in table artist in source default'
