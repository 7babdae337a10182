/** The SDK for Go as it is built: what is published, a program with it by the real Pulumi, and every example of the docs. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PulumiExamples } from '../../provider/src/pulumi/index.ts'
import { writeGoModule } from '../../tools/bundle-go-sdk.ts'
import { goFlags } from '../../tools/pulumi-cli/programs.ts'
import { CONVERTED_EXAMPLES, GO_SOURCES } from '../../tools/sdk/sources.ts'
import { unless } from '../requirement.ts'
import { startStore } from './music-store.ts'
import { createPulumiProject } from './pulumi.ts'

const use = `package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"svc.invalid/sdk/go/svc"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		album, err := svc.NewTable(ctx, "album", &svc.TableArgs{Table: &svc.TableNameArgs{Name: pulumi.String("album")}})
		if err != nil {
			return err
		}
		_, err = svc.NewSelectPermission(ctx, "album", &svc.SelectPermissionArgs{
			Table:      album.Table,
			Role:       pulumi.String("user"),
			AllColumns: pulumi.Bool(true),
			Filter:     pulumi.Map{"id": pulumi.IntMap{"_gt": pulumi.Int(1)}},
		})
		ctx.Export("id", album.ID())
		return err
	})
}
`

const hashOfSources = (): string => {
  const hash = createHash('sha256')
  for (const file of globSync('**/*.{go,json,mod,sum}', { cwd: GO_SOURCES, exclude: ['dist/**'] }).sort())
    hash.update(readFileSync(join(GO_SOURCES, file)))
  return `test${hash.digest('hex').slice(0, 12)}`
}

/** With the versions and the flags that the command line is built with, so that what both need is compiled once. */
test('a program in Go with the published module is previewed, made and destroyed, and every example compiles', {
  skip: unless('pulumi-go', false, 'compiles for half a minute'),
}, async (t) => {
  const engine = await startStore(t)
  const project = await createPulumiProject(engine, t)
  const module = writeGoModule(join(project.path, 'modules'), `-${hashOfSources()}`)
  const program = join(project.path, 'program')
  const go = (...args: readonly string[]) => {
    const served = `file://${join(project.path, 'modules')}`
    const others = spawnSync('go', ['env', 'GOPROXY'], { encoding: 'utf8' }).stdout.trim()
    const env = { ...process.env, CGO_ENABLED: '0', GOPROXY: `${served},${others}`, GONOSUMDB: 'svc.invalid/*' }
    const { status, stderr } = spawnSync('go', args, { cwd: program, env, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  }
  mkdirSync(program)
  const manifest = readFileSync(join(GO_SOURCES, 'go.mod'), 'utf8')
  const required = manifest
    .replace(/^module .*/m, 'module shop')
    .replace('require (', `require (\n\t${module.path} ${module.version}`)
  writeFileSync(join(program, 'go.mod'), required)
  cpSync(join(GO_SOURCES, 'go.sum'), join(program, 'go.sum'))
  writeFileSync(join(program, 'main.go'), use)
  for (const [name, { go: text }] of Object.entries(
    JSON.parse(readFileSync(CONVERTED_EXAMPLES, 'utf8')) as PulumiExamples,
  )) {
    mkdirSync(join(program, 'examples', name), { recursive: true })
    writeFileSync(join(program, 'examples', name, 'main.go'), text)
  }
  go('build', '-mod=mod', ...goFlags, '-o', 'shop', '.')
  go('vet', '-mod=mod', ...goFlags, './...')

  // the language host asks `go` for all modules of the program: nothing but what has been fetched
  project.environment.GOPROXY = `file://${join(project.path, 'modules')}`
  project.environment.GONOSUMDB = 'svc.invalid/*'
  const runtime = { name: 'go', options: { binary: join(program, 'shop') } }
  const plugins = { providers: [{ name: 'svc', path: 'node_modules/@svc/pulumi/plugin' }] }
  project.write('Pulumi.yaml', JSON.stringify({ name: 'test', runtime, main: 'program', plugins }))
  await project.succeed('preview')
  await project.up()
  assert.equal((await project.succeed('stack', 'output', 'id')).trim(), 'default/public/album')
  assert.equal(await project.isChanged('--refresh'), false)
  await project.succeed('destroy', '--yes')
  assert.deepEqual((await engine.metadata('export_metadata', {})).body.sources[0].tables ?? [], [])
})
