import type { UnusedFile } from '../directory/index.ts'

/** Says in one sentence that no command reads a file, and what its author may have meant. */
export function unusedFileText({ file, meant, listedIn }: UnusedFile): string {
  if (listedIn !== null) return `${file} is not read: ${listedIn} does not list it`
  return `${file} is no file of a metadata directory, and none includes it${meant === null ? '' : `, did you mean ${meant}?`}`
}
