/**
 * `npm run cdk`: writes the packages of constructs for CDK for Terraform and for CDK Terrain, cdk/…, from the declarations.
 * They are no part of the repository: tests, the type check and the build make them.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { libraries } from './cdk/library.ts'
import { packageFiles } from './cdk/package-files.ts'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/**
 * Makes both packages what the declarations say, and links them into node_modules. A file that is right is not written.
 */
export function writeConstructs(): void {
  for (const library of libraries) {
    const files = new Map(packageFiles(library).map(({ name, text }) => [name, text]))
    for (const name of globSync('{*.json,src/*.ts}', { cwd: library.folder }))
      if (!files.has(name)) rmSync(join(library.folder, name))
    for (const [name, text] of files) {
      const path = join(library.folder, name)
      if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    const link = join(modules, '@svc', library.name)
    if (existsSync(link)) continue
    rmSync(link, { force: true })
    symlinkSync(library.folder, link, 'junction')
  }
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) writeConstructs()
