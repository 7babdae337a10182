/**
 * directory: metadata as files (config v3, reference/metadata-directory#commands). Begin at directory-files.ts, which
 * lists them all, and read-directory.ts. Knows no engine and no command line; every failure is a DirectoryError with a
 * line for people.
 */
export { DirectoryError, type FilePlace, placeText } from './directory-error.ts'
export { filesWithoutSchemas } from './directory-files.ts'
export { parseYamlFile } from './parse-yaml-file.ts'
export { type MetadataFiles, type ReadDirectory, readMetadataFiles, readMetadataFrom } from './read-directory.ts'
export type { UnknownKey } from './unknown-keys.ts'
export { filesIn, shown, type UnusedFile } from './unused-files.ts'
export { type WrittenDirectory, writeMetadataTo } from './write-directory.ts'
export { parseYaml, printYaml } from './yaml-text.ts'
