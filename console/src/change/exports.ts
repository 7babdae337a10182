import { addressText, type JsonObject, type MetadataDocument, type ObjectAddress, writeMetadata } from '@svc/schema'
import { type AdoptedResource, adoptDocument, pulumiFiles, terraformFiles } from '../../../provider/src/adopt/index.ts'
import { findObject } from '../../../provider/src/core/index.ts'
import { filesWithoutSchemas } from '../../../provider/src/directory/index.ts'
import type { Operation } from '../../../provider/src/resources/index.ts'
import { requestOf } from './try-change.ts'

/** A change in the words of one tool. */
export interface Export {
  readonly id: 'files' | 'terraform' | 'pulumi-typescript' | 'pulumi-yaml' | 'request'
  readonly title: string
  /** What to do with it. */
  readonly advice: string
  readonly files: readonly ExportedFile[]
}

export interface ExportedFile {
  readonly name: string
  /** Null: it is to be removed. */
  readonly text: string | null
  /** Its present text; null: it is new, or the tool's own affair. */
  readonly before: string | null
}

interface Outcome {
  readonly before: MetadataDocument
  readonly after: MetadataDocument
  /** What is made or changed. */
  readonly wanted: readonly ObjectAddress[]
  readonly operations: readonly Operation[]
}

/** The change as each tool has it. */
export function exportsOf({ before, after, wanted, operations }: Outcome): readonly Export[] {
  const addresses = new Set(wanted.map(addressText))
  const adoption = adoptDocument(after, (address) => addresses.has(address))
  const known = new Set(wanted.filter((at) => findObject(before, at)).map(addressText))
  const isThere = ({ address }: AdoptedResource) => known.has(address)
  const written = (files: readonly { readonly name: string; readonly text: string }[]) =>
    files.map((file): ExportedFile => ({ ...file, before: null }))
  const imports =
    known.size > 0 ? ' What is there already is imported, unless the stack has it: then change it there.' : ''
  return [
    {
      id: 'files',
      title: 'Metadata files',
      advice: 'Put these into the metadata directory, then `svc plan` shows the change and `svc deploy` makes it.',
      files: changedFiles(writeMetadata(before), writeMetadata(after)),
    },
    {
      id: 'terraform',
      title: 'Terraform',
      advice: `For a configuration of Terraform or OpenTofu: \`terraform plan\`, then \`terraform apply\`.${imports}`,
      files: written(adoption.resources.length === 0 ? [] : terraformFiles(adoption, isThere)),
    },
    ...(['typescript', 'yaml'] as const).map(
      (language): Export => ({
        id: `pulumi-${language}`,
        title: `Pulumi ${language === 'yaml' ? 'YAML' : 'TypeScript'}`,
        advice: `For a program of Pulumi: \`pulumi preview\`, then \`pulumi up\`.${imports}`,
        files: written(adoption.resources.length === 0 ? [] : pulumiFiles(adoption, language, 'console', isThere)),
      }),
    ),
    {
      id: 'request',
      title: 'JSON request',
      advice: 'The body of POST /v1/metadata: all of it happens or nothing.',
      files: [{ name: 'request.json', text: `${JSON.stringify(requestOf(operations), null, 2)}\n`, before: null }],
    },
  ]
}

/** The files of the metadata directory that differ. */
function changedFiles(before: JsonObject, after: JsonObject): readonly ExportedFile[] {
  const olds = filesWithoutSchemas(before)
  const news = filesWithoutSchemas(after)
  return [...new Set([...olds.keys(), ...news.keys()])]
    .filter((name) => olds.get(name) !== news.get(name))
    .sort()
    .map((name) => ({ name: `metadata/${name}`, text: news.get(name) ?? null, before: olds.get(name) ?? null }))
}
