import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import type { Adoption, ProjectFile } from '../../adopt/index.ts'
import { readLive } from '../../core/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { ConfigError } from '../config.ts'

interface AdoptFlags {
  readonly terraform?: string
  readonly pulumi?: string
  readonly language: 'typescript' | 'yaml'
}

/**
 * `svc adopt`: everything a live engine has, as a project of Terraform or Pulumi that imports it and whose plan after
 * that is empty. Changes nothing in the engine, overwrites no file.
 */
export function adoptCommand(run: Run): Command {
  const command = new Command('adopt')
    .description('write a Terraform or Pulumi project that takes over what the engine has')
    .option('--terraform <directory>', 'write import blocks and a configuration into this folder')
    .option('--pulumi <directory>', 'write a file for `pulumi import` and a program into this folder')
    .addOption(
      new Option('--language <language>', 'of the Pulumi program')
        .choices(['typescript', 'yaml'])
        .default('typescript'),
    )
  return run(command, adopt)
}

async function adopt(context: CommandContext, { terraform, pulumi, language }: AdoptFlags): Promise<void> {
  if (terraform === undefined && pulumi === undefined)
    throw new ConfigError('say for which tool: --terraform DIRECTORY or --pulumi DIRECTORY')
  const { adoptDocument, pulumiFiles, terraformFiles } = await import('../../adopt/index.ts')
  const { document, ignored } = await readLive(context.client())
  if (ignored.length > 0)
    context.note(`warning: this svc does not know ${ignored.join(', ')}: left out, the engine is newer`)
  const adoption = adoptDocument(document)
  printLeft(context, adoption)
  const folder = (shown: string) => resolve(context.terminal.cwd, shown)
  const count = `${adoption.resources.length} resources`
  if (terraform !== undefined) {
    await writeNew(folder(terraform), terraform, terraformFiles(adoption))
    context.print(`${count} in ${terraform}: \`terraform init && terraform apply\` there imports them`)
  }
  if (pulumi !== undefined) {
    await writeNew(folder(pulumi), pulumi, pulumiFiles(adoption, language, basename(folder(pulumi))))
    context.print(
      `${count} in ${pulumi}: \`pulumi import --file import.json --generate-code=false --protect=false\` there imports them`,
    )
  }
}

/** Objects that are not adopted, since no kind of resource stands for them. */
function printLeft({ note }: CommandContext, { left }: Adoption): void {
  if (left.length === 0) return
  note(`warning: no kind of resource stands for ${left.length === 1 ? 'this object' : `these ${left.length} objects`}:`)
  for (const name of left) note(`  ${name}`)
}

/** Throws ConfigError where one of the files is there already, before anything is written. */
async function writeNew(folder: string, shown: string, files: readonly ProjectFile[]): Promise<void> {
  const there = files.filter(({ name }) => existsSync(join(folder, name))).map(({ name }) => join(shown, name))
  if (there.length > 0) throw new ConfigError(`${there.join(', ')} ${there.length === 1 ? 'is' : 'are'} already there`)
  await mkdir(folder, { recursive: true })
  for (const { name, text } of files) await writeFile(join(folder, name), text, { flag: 'wx' })
}
