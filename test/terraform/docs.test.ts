/** The reference pages are those of the declarations, and every configuration in the documentation is one that works. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { kindNamed } from '../../provider/src/resources/index.ts'
import { onlyElsewhere } from '../../provider/src/resources/other-sources.fixture.ts'
import { TERRAFORM_PAGES, terraformPages } from '../../tools/docs/terraform-pages.ts'
import { blocksOf, examplesOf, patternOf } from '../console-examples.ts'
import { startDocumentedStore } from '../documented-store.ts'
import type { Engine } from '../engine.ts'
import { createTerraformFolder, requiredProvider, type TerraformFolder, withoutTerraform } from './terraform.ts'

const examples = join(TERRAFORM_PAGES, 'examples')

test('the reference pages are what `npm run docs` makes of the declarations', async () => {
  const pages = await terraformPages()
  const files = (await readdir(TERRAFORM_PAGES)).filter((name) => name.endsWith('.md'))
  assert.deepEqual(files.sort(), pages.map(({ file }) => file).sort())
  for (const { file, text } of pages) assert.equal(await readFile(join(TERRAFORM_PAGES, file), 'utf8'), text, file)
})

test('every example of the reference is whole, applied, and its second plan is empty', {
  skip: withoutTerraform,
}, async (t) => {
  const engine = await startDocumentedStore(t)
  const before = (await engine.metadata('export_metadata', {})).body
  const folder = await createTerraformFolder(engine, t)
  folder.environment.TF_VAR_database_url = engine.databaseUrl
  folder.environment.TF_VAR_ci_token = 'x'.repeat(43)
  const texts = new Map<string, string>()
  for (const file of await readdir(examples)) {
    const text = await readFile(join(examples, file), 'utf8')
    texts.set(file, text)
    assert.deepEqual(strangersIn(text), [], file)
    await folder.write(join('all', file), text)
  }
  await folder.write('main.tf', requiredProvider)
  await folder.succeed('fmt', '-no-color', '-check', '-diff', '-recursive')
  const provider = texts.get('svc.tf') ?? ''
  texts.delete('svc.tf')
  await folder.write('main.tf', provider)
  await folder.succeed('validate', '-no-color')
  // no server of theirs is there to be had
  const elsewhere = [...onlyElsewhere].map((kind) => `${typeNameOf(kind)}.tf`)
  await folder.write('main.tf', [provider, ...elsewhere.map((file) => texts.get(file) ?? '')].join('\n'))
  await folder.succeed('validate', '-no-color')
  for (const file of elsewhere) assert.ok(texts.delete(file), file)
  for (const { names, blocks } of together(texts))
    await t.test(names.join(', '), async () => {
      await folder.write('main.tf', [requiredProvider, ...blocks.values()].join('\n'))
      await folder.apply()
      assert.equal(await folder.isChanged(), false)
      // the next have an engine on which nothing was declared
      await engine.metadata('replace_metadata', before)
    })
})

const typeNameOf = (kind: string): string => `svc_${kindNamed(kind)?.name}`

interface Together {
  readonly names: string[]
  /** By `resource "svc_table" "album"`. */
  readonly blocks: Map<string, string>
}

/** Examples as few configurations: those go along that say the same of what they share. What reads sees no others. */
function together(texts: ReadonlyMap<string, string>): readonly Together[] {
  const all: Together[] = []
  for (const [name, text] of texts) {
    const blocks = topBlocks(text)
    const fits = (one: Together) =>
      [...blocks].every(([head, block]) => (one.blocks.get(head) ?? block) === block) &&
      !(isIn('data', blocks, one.blocks) && isIn('resource', blocks, one.blocks))
    const found: Together = all.find(fits) ?? { names: [], blocks: new Map() }
    if (found.names.length === 0) all.push(found)
    found.names.push(name)
    for (const [head, block] of blocks) found.blocks.set(head, block)
  }
  return all
}

const isIn = (type: string, ...some: readonly ReadonlyMap<string, string>[]): boolean =>
  some.some((blocks) => [...blocks.keys()].some((head) => head.startsWith(`${type} `)))

const topBlocks = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^(\w+ .*?) ?\{(?:\}|\n[\s\S]*?^\})$/gm)].map(([block, head = '']) => [head, block]))

/** Addresses that an example refers to and does not declare. */
function strangersIn(text: string): readonly string[] {
  const declared = [...topBlocks(text).keys()].map((head) => head.replace(/^resource /, '').replaceAll(/"/g, ''))
  const known = new Set(declared.map((head) => head.replaceAll(' ', '.').replace(/^variable\./, 'var.')))
  const code = text.replaceAll(/#.*|"[^"\n]*"/g, (part) => (part.includes('${') ? part : ''))
  const used = [...code.matchAll(/\b(?:data\.)?svc_\w+\.\w+|\bvar\.\w+/g)].map(([address]) => address)
  return [...new Set(used)].filter((address) => !known.has(address))
}

test('docs/terraform.md is true from its first example to its last', { skip: withoutTerraform }, async (t) => {
  const engine = await startDocumentedStore(t)
  const folder = await createTerraformFolder(engine, t)
  const page = await readFile(new URL('../../docs/terraform.md', import.meta.url), 'utf8')
  let ran = 0
  for (const { language, text } of blocksOf(page)) {
    const file = /^# file: (.+)\n/.exec(text)?.[1]
    if (language === 'hcl' && file) await folder.write(file, text)
    else if (language === 'hcl') await validate(t, engine, text)
    if (language === 'console')
      for (const { command, output } of examplesOf(text)) {
        ran++
        await runExample(folder, engine, command, output)
      }
  }
  assert.ok(ran > 0)
})

async function validate(t: TestContext, engine: Engine, text: string): Promise<void> {
  const folder = await createTerraformFolder(engine, t)
  await folder.write('main.tf', text.includes('required_providers') ? text : `${requiredProvider}${text}`)
  await folder.succeed('validate', '-no-color')
}

async function runExample(folder: TerraformFolder, engine: Engine, command: string, output: string): Promise<void> {
  const local = 'http://localhost:8080'
  const printed = (await folder.shell(command.replaceAll(local, engine.url))).replaceAll(engine.url, local)
  assert.match(printed, patternOf(output), `\`${command}\` printed:\n${printed}`)
}
