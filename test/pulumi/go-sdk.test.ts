import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { goFlags } from '../../tools/pulumi-cli/programs.ts'
import { generateSdks } from '../../tools/sdk/generate-sdks.ts'
import { unless } from '../requirement.ts'
import { temporaryFolder } from './temporary-folder.ts'

const pinned = (file: string) => fileURLToPath(new URL(`../../tools/pulumi-cli/cli/${file}`, import.meta.url))

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
		return err
	})
}
`

/** With the versions and the flags that the command line is built with, so that what both need is compiled once. */
test('the Go SDK compiles with a program that uses it', {
  skip: unless('pulumi-go', false, 'compiles for half a minute'),
}, (t) => {
  const folder = temporaryFolder(t)
  generateSdks({ go: folder })
  writeFileSync(
    join(folder, 'go.mod'),
    readFileSync(pinned('go.mod'), 'utf8').replace(/^module .*/m, 'module svc.invalid/sdk/go'),
  )
  cpSync(pinned('go.sum'), join(folder, 'go.sum'))
  writeFileSync(join(folder, 'main.go'), use)
  const { status, stderr } = spawnSync('go', ['build', '-mod=mod', ...goFlags, '-o', '/dev/null', './...'], {
    cwd: folder,
    env: { ...process.env, CGO_ENABLED: '0' },
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
})
