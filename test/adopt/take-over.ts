/** What `svc adopt` writes, in the hands of the tool that takes it over. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSvcFolder } from '../cli/svc.ts'
import type { Engine } from '../engine.ts'
import { createPulumiProject, type PulumiProject } from '../pulumi/pulumi.ts'
import { createTerraformFolder, type TerraformFolder } from '../terraform/terraform.ts'
import { versionOf } from './live-store.ts'
import { ODD_SECRET, type OddEngine } from './odd-metadata.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export type Language = 'typescript' | 'yaml'

async function written(t: WithAfter, engine: Engine, ...args: readonly string[]): Promise<string> {
  const svc = await createSvcFolder(engine, t)
  const { code, stderr } = await svc.svc('adopt', ...args)
  assert.equal(code, 0, stderr)
  return join(svc.path, 'adopted')
}

export async function adoptByTerraform(t: WithAfter, engine: Engine): Promise<TerraformFolder> {
  const folder = await createTerraformFolder(engine, t)
  await folder.copy(await written(t, engine, '--terraform', 'adopted'))
  return folder
}

export async function adoptByPulumi(t: WithAfter, engine: Engine, language: Language): Promise<PulumiProject> {
  const project = await createPulumiProject(engine, t)
  project.copy(await written(t, engine, '--pulumi', 'adopted', '--language', language))
  return project
}

/** Imports everything, writes nothing, and finds nothing more to do. */
export async function assertTakenByTerraform(
  folder: TerraformFolder,
  engine: Engine,
  resources: number,
): Promise<void> {
  const before = await versionOf(engine)
  await folder.succeed('fmt', '-no-color', '-check', '-diff')
  assert.match(await folder.apply(), new RegExp(`Resources: ${resources} imported, 0 added, 0 changed, 0 destroyed`))
  assert.equal(await versionOf(engine), before)
  assert.equal(await folder.isChanged(), false)
}

/** Imports everything, writes nothing, and finds nothing more to do. */
export async function assertTakenByPulumi(project: PulumiProject, engine: Engine, resources: number): Promise<void> {
  const before = await versionOf(engine)
  await project.succeed('import', '--file=import.json', '--generate-code=false', '--protect=false', '--yes')
  assert.equal((await project.resources()).length, resources)
  assert.equal(await project.isChanged(), false)
  assert.equal(await versionOf(engine), before)
}

/** Without its secrets in any file. */
export async function takeOddOver(
  t: WithAfter,
  { engine, resources }: OddEngine,
  language: Language,
): Promise<PulumiProject> {
  const project = await adoptByPulumi(t, engine, language)
  for (const file of await readdir(project.path))
    if (/\.(ts|json|yaml)$/.test(file))
      assert.ok(!(await readFile(join(project.path, file), 'utf8')).includes(ODD_SECRET), file)
  await project.succeed('config', 'set', '--secret', 'archiveSourceDatabaseUrl', resources.archiveUrl)
  await project.succeed('config', 'set', '--secret', 'partsSourceConnectionParametersPassword', ODD_SECRET)
  await assertTakenByPulumi(project, engine, resources.count)
  return project
}
