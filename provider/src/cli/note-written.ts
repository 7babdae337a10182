import type { UnusedFile, WrittenDirectory } from '../directory/index.ts'
import type { CommandContext } from './command-context.ts'

export const pruneText = 'remove table and function files that databases.yaml did not list, too'

/** Names on stderr the files that a write removed or replaced, and those that nothing refers to. */
export function noteWritten({ note }: CommandContext, { removed, replaced, unused }: WrittenDirectory): void {
  for (const file of removed) note(`removed ${file}`)
  for (const file of replaced) note(`replaced ${file}, which databases.yaml did not list`)
  for (const file of unused)
    note(`warning: ${unusedFileText(file)}${file.listedIn === null ? '' : ' (--prune removes it)'}`)
}

/** Says in one sentence that no command reads a file, and what its author may have meant. */
export function unusedFileText({ file, meant, listedIn }: UnusedFile): string {
  if (listedIn !== null) return `${file} is not read: ${listedIn} does not list it`
  return `${file} is no file of a metadata directory, and none includes it${meant === null ? '' : `, did you mean ${meant}?`}`
}
