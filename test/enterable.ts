import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Why users other than root cannot run what is in this checkout, if so: every folder down to it has to let them in. */
export function othersCannotEnter(): string | false {
  if (process.getuid?.() !== 0) return 'needs root'
  for (let folder = fileURLToPath(new URL('..', import.meta.url)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return `only root may enter ${folder}`
    if (folder === dirname(folder)) return false
  }
}
