import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Whether one of the files, or what they import by relative paths, is `target`. Paths are relative to the working directory. */
export function reaches(files: readonly string[], target: string): boolean {
  const seen = new Set(files)
  for (const file of seen) {
    if (file === target) return true
    // a text may have the form of an import
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\(?) *'(\.[^']*\.tsx?)'/g))
      if (existsSync(join(dirname(file), path))) seen.add(join(dirname(file), path))
  }
  return false
}
