import { version } from '../../provider/src/terraform/index.ts'
import { constructFiles, type SourceFile } from './construct-files.ts'
import type { Library } from './library.ts'

/** Every file of the package of constructs for a library, named from its folder. */
export function packageFiles(library: Library): readonly SourceFile[] {
  return [
    { name: 'package.json', text: jsonText(manifest(library)) },
    { name: 'tsconfig.build.json', text: jsonText(tsconfig) },
    ...constructFiles(library).map(({ name, text }) => ({ name: `src/${name}`, text })),
  ]
}

const jsonText = (json: object): string => `${JSON.stringify(json, null, 2)}\n`

const manifest = ({ name, title, peers }: Library): object => ({
  name: `@svc/${name}`,
  version,
  description: `Constructs of ${title} that declare the metadata of an engine`,
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: '>=20.19' },
  exports: { '.': './src/index.ts' },
  peerDependencies: peers,
})

const tsconfig = {
  extends: '../../tsconfig.json',
  compilerOptions: {
    noEmit: false,
    rootDir: '.',
    outDir: 'dist',
    declaration: true,
    rewriteRelativeImportExtensions: true,
  },
  include: ['src'],
}
