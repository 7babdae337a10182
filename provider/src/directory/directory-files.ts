import { isRecord, type Json, type JsonObject } from '@svc/schema'
import { fileNames, namePartsOf } from './file-names.ts'
import { actionsFile, actionsGraphqlFile, databasesFile, topFiles, versionFile } from './files.ts'
import { printActions } from './print-actions.ts'
import { printYaml } from './yaml-text.ts'

/**
 * The files of a metadata directory (reference/metadata-directory#commands) by path with slashes, for metadata in its
 * export form.
 */
export function directoryFiles(metadata: JsonObject): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const actions = printActions(list(metadata.actions), isRecord(metadata.custom_types) ? metadata.custom_types : {})
  files.set(versionFile, printYaml({ version: 3 }))
  files.set(actionsGraphqlFile, actions.sdl)
  files.set(actionsFile, printYaml(actions.yaml))
  for (const [key, { file, empty }] of Object.entries(topFiles)) files.set(file, printYaml(metadata[key] ?? empty))
  const sources = list(metadata.sources)
  const folders = fileNames(sources.map((source) => [String(source.name)]))
  files.set(databasesFile, printYaml(sources.map((source, i) => sourceFiles(source, folders[i] ?? '', files))))
  return files
}

const list = (json: Json | undefined): readonly JsonObject[] => (Array.isArray(json) ? json.filter(isRecord) : [])

/** Writes the files of a source's tables and functions and returns its entry in databases.yaml. */
function sourceFiles(source: JsonObject, folder: string, files: Map<string, string>): JsonObject {
  const { name = null, kind = null, tables, functions, configuration = null, ...others } = source
  const included = (key: 'tables' | 'functions', own: 'table' | 'function', objects: readonly JsonObject[]) => {
    const names = fileNames(objects.map((object) => namePartsOf(object[own] ?? null)))
    return objects.map((object, i) => {
      const path = `${folder}/${key}/${names[i] ?? ''}.yaml`
      files.set(`databases/${path}`, printYaml(object))
      return `!include ${path}`
    })
  }
  const functionIncludes = included('functions', 'function', list(functions))
  return {
    name,
    kind,
    configuration,
    ...others,
    tables: included('tables', 'table', list(tables)),
    ...(functionIncludes.length > 0 ? { functions: functionIncludes } : {}),
  }
}
