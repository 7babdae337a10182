import {
  childTypesOf,
  type Json,
  type JsonObject,
  kindOfSource,
  type NameStyle,
  nameStyle,
  objectKinds,
  recordOf,
  recordsIn,
} from '@svc/schema'
import { fileNames, namePartsOf } from './file-names.ts'
import { type FileContent, fileSchema, schemaFile, schemasFolder } from './file-schemas.ts'
import { actionsFile, actionsGraphqlFile, databasesFile, topFiles, versionFile } from './files.ts'
import { printActions } from './print-actions.ts'
import { printYaml } from './yaml-text.ts'

/** A YAML file of the directory that is not printed yet. */
interface YamlFile {
  readonly json: Json
  readonly content: FileContent
}

/**
 * The files of a metadata directory (reference/metadata-directory#commands) by path with slashes, for metadata in its
 * export form. The first line of each names its schema, for editors.
 */
export function directoryFiles(metadata: JsonObject): ReadonlyMap<string, string> {
  const contents = directoryContents(metadata)
  const files = textsOf(contents)
  for (const { content } of contents.yaml.values()) {
    const schemaPath = `${schemasFolder}/${schemaFile(content)}`
    if (!files.has(schemaPath)) files.set(schemaPath, `${JSON.stringify(fileSchema(content), null, 1)}\n`)
  }
  return files
}

/** The same without the schemas, which say nothing of the metadata. */
export const filesWithoutSchemas = (metadata: JsonObject): ReadonlyMap<string, string> =>
  textsOf(directoryContents(metadata))

const textsOf = ({ yaml, actionsGraphql }: ReturnType<typeof directoryContents>): Map<string, string> =>
  new Map([
    [actionsGraphqlFile, actionsGraphql],
    ...[...yaml].map(([path, file]) => [path, yamlFileText(path, file)] as const),
  ])

function yamlFileText(path: string, { json, content }: YamlFile): string {
  const up = '../'.repeat(path.split('/').length - 1)
  return `# yaml-language-server: $schema=${up}${schemasFolder}/${schemaFile(content)}\n${printYaml(json)}`
}

/** The content of the files. */
function directoryContents(metadata: JsonObject): {
  readonly yaml: ReadonlyMap<string, YamlFile>
  readonly actionsGraphql: string
} {
  const yaml = new Map<string, YamlFile>()
  const add = (path: string, json: Json, content: FileContent) => {
    yaml.set(path, { json, content })
  }
  const actions = printActions(recordsIn(metadata.actions), recordOf(metadata.custom_types))
  add(versionFile, { version: 3 }, { kind: 'version' })
  add(actionsFile, actions.yaml, { kind: 'actions' })
  for (const [key, { file, empty }] of Object.entries(topFiles)) {
    const type = topTypes.get(key)
    if (type) add(file, metadata[key] ?? empty, { kind: Array.isArray(empty) ? 'list' : 'object', type })
  }
  const sources = recordsIn(metadata.sources)
  const folders = fileNames(sources.map((source) => [String(source.name)]))
  const entries = sources.map((source, i) => {
    const style = nameStyle(kindOfSource(source))
    return sourceFiles(source, folders[i] ?? '', style, add)
  })
  add(databasesFile, entries, { kind: 'databases' })
  return { yaml, actionsGraphql: actions.sdl }
}

/** By their key in the metadata. */
const topTypes = new Map(childTypesOf(null).map((type) => [objectKinds[type].list, type]))

/** Writes the files of a source's tables and functions and returns its entry in databases.yaml. */
function sourceFiles(
  source: JsonObject,
  folder: string,
  style: NameStyle,
  add: (path: string, json: Json, content: FileContent) => void,
): JsonObject {
  const { name = null, kind = null, tables, functions, configuration = null, ...others } = source
  const included = (key: 'tables' | 'functions', own: 'table' | 'function', objects: readonly JsonObject[]) => {
    const names = fileNames(objects.map((object) => namePartsOf(object[own] ?? null)))
    return objects.map((object, i) => {
      const path = `${folder}/${key}/${names[i] ?? ''}.yaml`
      add(`databases/${path}`, object, { kind: 'object', type: own, style })
      return `!include ${path}`
    })
  }
  const functionIncludes = included('functions', 'function', recordsIn(functions))
  return {
    name,
    kind,
    configuration,
    ...others,
    tables: included('tables', 'table', recordsIn(tables)),
    ...(functionIncludes.length > 0 ? { functions: functionIncludes } : {}),
  }
}
