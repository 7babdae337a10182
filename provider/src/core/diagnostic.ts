import type { Attributes, Path } from '../resources/index.ts'
import { pathText, pointablePath } from './attribute-path.ts'
import type { Diagnostic } from './provider.ts'

/** Returns an error. */
export const errorOf = (summary: string, detail = '', path: Path = []): Diagnostic => ({
  severity: 'error',
  summary,
  detail,
  path,
})

/** Returns a warning. */
export const warningOf = (summary: string, detail = '', path: Path = []): Diagnostic => ({
  severity: 'warning',
  summary,
  detail,
  path,
})

/** Returns an error at a value: its whole path in the summary, as much of it as tools can point at as its path. */
export const errorAt = (attributes: Attributes, path: Path, message: string, detail = ''): Diagnostic =>
  errorOf(path.length === 0 ? message : `${pathText(path)}: ${message}`, detail, pointablePath(attributes, path))
