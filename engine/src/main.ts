/** The command line of svc-engine (reference/server#commands). */
import { adoptCatalogue, clean, downgrade, exportMetadata, readDowngrade, serve } from './commands/index.ts'
import { engineVersion, FatalError, helpText, parseArguments, readConfig } from './config/index.ts'

async function main(words: readonly string[]): Promise<void> {
  if (words.includes('downgrade')) {
    const asked = readDowngrade(words.filter((word) => word !== 'downgrade'))
    return say(await downgrade(readConfig(parseArguments(asked.rest).flags, process.env), asked))
  }
  const { command, help, flags } = parseArguments(words)
  if (help) return say(helpText())
  switch (command) {
    case 'serve':
      return serve(readConfig(flags, process.env))
    case 'export':
      return say(await exportMetadata(readConfig(flags, process.env)))
    case 'clean':
      return say(await clean(readConfig(flags, process.env)))
    case 'adopt-catalogue':
      return say(await adoptCatalogue(readConfig(flags, process.env)))
    case 'version':
      return say(`svc-engine ${engineVersion}`)
  }
}

const say = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof FatalError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
