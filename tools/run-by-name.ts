import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/**
 * Runs the program that the command line names: the one at `pattern` with `*` replaced by the first argument,
 * which is taken off. Without a name, or with an unknown one, it lists those there are and exits with 1.
 */
export async function runByName(script: string, pattern: string): Promise<void> {
  const [before = '', after = ''] = pattern.split('*')
  const names = globSync(pattern)
    .map((file) => file.slice(before.length, file.length - after.length))
    .sort()
  const [name] = process.argv.splice(2, 1)
  if (name !== undefined && names.includes(name)) {
    await import(pathToFileURL(before + name + after).href)
    return
  }
  console.error(`usage: npm run ${script} -- NAME\nnames: ${names.join(', ')}`)
  process.exitCode = 1
}
