/** `npm run cdk`: writes the constructs for CDK for Terraform and for CDK Terrain, cdk/…/src, from the declarations. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constructFiles } from './cdk/construct-files.ts'
import { libraries } from './cdk/library.ts'

for (const library of libraries) {
  const folder = join(library.folder, 'src')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { name, text } of constructFiles(library)) writeFileSync(join(folder, name), text)
}
