import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outside } from '../provider/walk-prerequisites.ts'
import { VERSION } from '../terraform/terraform.ts'
import { places } from './places.ts'

/** The folder of what released versions have left behind, one folder each. */
export const keptIn = new URL('kept/', import.meta.url).pathname

/** A file that a version has left behind, with the places where this run has things. */
export const keptFile = (version: string, file: string, outside: Outside): string =>
  places(outside)
    .reduce((text, [here, place]) => text.replaceAll(place, here), readFileSync(join(keptIn, version, file), 'utf8'))
    .replaceAll(/("?version"?\s*[:=]\s*)"0\.\d+\.\d+"/g, `$1"${VERSION}"`)
