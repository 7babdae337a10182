import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Makes the console's page where it is not there, or older than its sources. Takes a second. */
export async function prepareConsole(checkout: string): Promise<void> {
  const folder = join(checkout, 'console')
  const made = join(folder, 'page/console.js')
  if (existsSync(made) && statSync(made).mtimeMs > newest(folder)) return
  const { buildConsole } = await import('../../console/build.ts')
  await buildConsole()
}

/** The page is bundled from the provider's catalogue, too. */
function newest(folder: string): number {
  const sources = ['src', 'standins', '../provider/src', '../schema/src'].flatMap((below) =>
    readdirSync(join(folder, below), { recursive: true, encoding: 'utf8' }).map((name) => join(below, name)),
  )
  return Math.max(...['build.ts', 'page.html', ...sources].map((name) => statSync(join(folder, name)).mtimeMs))
}
