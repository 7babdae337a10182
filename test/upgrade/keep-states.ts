/**
 * Makes the states that later versions are tried on: `node test/upgrade/keep-states.ts FOLDER`, run once with what is
 * released, in a checkout of it. Needs terraform, pulumi and pg_dump, and SVC_TEST_DATABASE_URL of a server that this
 * pg_dump knows. Leaves there an object of every kind as the catalogue, the directory and both tools have it.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSvcFolder } from '../cli/svc.ts'
import { startWalk } from '../provider/start-walk.ts'
import { wholeStack } from '../provider/walk-stack.ts'
import { createPulumiProject } from '../pulumi/pulumi.ts'
import { programOf } from '../pulumi/walk.ts'
import { createTerraformFolder, requiredProvider } from '../terraform/terraform.ts'
import { declare } from '../terraform/walk.ts'
import { places } from './places.ts'

const [target = ''] = process.argv.slice(2)
const cleanUps: (() => Promise<void> | void)[] = []
const t = { after: (cleanUp: () => Promise<void> | void) => void cleanUps.unshift(cleanUp) }
try {
  const { engine, outside } = await startWalk(t)
  const stack = wholeStack(outside)
  /** What is elsewhere in a later run gets the name of its place. */
  const keep = async (file: string, text: string): Promise<void> => {
    await mkdir(join(target, file, '..'), { recursive: true })
    const kept = places(outside).reduce((all, [found, place]) => all.replaceAll(found, place), text)
    await writeFile(join(target, file), kept)
  }

  const terraform = await createTerraformFolder(engine, t)
  await declare(terraform, stack)
  const event = { webhook: 'http://127.0.0.1:1/remind', schedule_at: '2990-01-01T09:00:00Z' }
  await terraform.write('event.tf.json', JSON.stringify({ resource: { svc_scheduled_event: { remind: event } } }))
  await terraform.apply()
  for (const file of ['main.tf.json', 'event.tf.json', 'terraform.tfstate'])
    await keep(`terraform/${file}`, await readFile(join(terraform.path, file), 'utf8'))

  const pulumi = await createPulumiProject(engine, t)
  const { resources, ...head } = JSON.parse(programOf(stack))
  const { webhook, schedule_at: scheduleAt } = event
  const remind = { type: 'svc:ScheduledEvent', properties: { webhook, scheduleAt } }
  pulumi.write('Pulumi.yaml', JSON.stringify({ ...head, resources: { ...resources, remind } }, null, 1))
  await pulumi.up('--config', 'svc:adoptExisting=true')
  await keep('pulumi/Pulumi.yaml', await readFile(join(pulumi.path, 'Pulumi.yaml'), 'utf8'))
  await keep('pulumi/stack.json', await pulumi.succeed('stack', 'export', '--show-secrets'))

  // the same types as one object
  const types = await createTerraformFolder(engine, t)
  await types.write('main.tf', `${requiredProvider}\nimport {\n  to = svc_custom_types.all\n  id = "custom_types"\n}\n`)
  await types.succeed('plan', '-no-color', '-generate-config-out=types.tf')
  await types.apply()
  await types.write('main.tf', requiredProvider)
  for (const file of ['main.tf', 'types.tf', 'terraform.tfstate'])
    await keep(`terraform-custom-types/${file}`, await readFile(join(types.path, file), 'utf8'))

  const svc = await createSvcFolder(engine, t)
  const exported = await svc.svc('metadata', 'export')
  if (exported.code !== 0) throw new Error(exported.stdout + exported.stderr)
  const metadata = join(svc.path, 'metadata')
  for (const entry of await readdir(metadata, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !entry.parentPath.endsWith('.schemas')) {
      const file = join(entry.parentPath, entry.name)
      await keep(join('metadata', file.slice(metadata.length + 1)), await readFile(file, 'utf8'))
    }
  for (const file of ['config.yaml', 'svc.yaml'])
    await cp(join(svc.path, file), join(target, file)).catch(() => undefined)

  await engine.stop()
  const options = ['--no-owner', '--no-privileges', '--inserts', `--dbname=${outside.databaseUrl}`]
  const dump = execFileSync('pg_dump', options, { encoding: 'utf8', maxBuffer: 100_000_000 })
  // commands of psql, which the server does not know
  await keep('database.sql', dump.replaceAll(/^\\.*\n/gm, ''))
} finally {
  for (const cleanUp of cleanUps) await cleanUp()
}
