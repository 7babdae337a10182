import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { attributeLines, type Expression, hclOf } from '../../provider/src/adopt/index.ts'
import { importId, objectData, parseImportId, type Value } from '../../provider/src/resources/index.ts'
import { loadReferencePages, type ReferencePage } from '../../provider/src/terraform/index.ts'

export const TERRAFORM_PAGES = fileURLToPath(new URL('../../docs/terraform', import.meta.url))

/** Configurations, one for each type, that the pages quote and the tests apply: docs/terraform/examples/TYPE.tf. */
const exampleFile = (typeName: string) => join(TERRAFORM_PAGES, 'examples', `${typeName}.tf`)

export const terraformPages = (): Promise<readonly ReferencePage[]> => loadReferencePages(exampleOf)

/** Of a single object's data source: the identity that its kind's import id shows. */
function exampleOf(typeName: string): string {
  const file = exampleFile(typeName)
  const data = objectData.find(({ name }) => typeName === `data.svc_${name}`)
  if (existsSync(file) || !data) return readFileSync(file, 'utf8')
  const { kind, inputs } = data
  const id = importId(kind.example)
  const parsed = 'store' in kind ? { ok: true as const, values: { id } } : parseImportId(kind, id)
  const values = parsed.ok ? parsed.values : {}
  const given = Object.keys(inputs).flatMap((name): (readonly [string, string])[] => {
    const value = values[name] ?? null
    const isDefault = name === 'source' && value === 'default'
    return value === null || isDefault ? [] : [[name, hclOf(literalOf(value), noNames)]]
  })
  const label =
    kind.identityPaths.length === 0 ? 'now' : (kind.example.at(-1) ?? 'it').replace(/\W/g, '_').toLowerCase()
  const body = given.length === 0 ? '{}' : `{\n${attributeLines(given, '  ')}}`
  return `data "svc_${data.name}" "${label}" ${body}\n`
}

function literalOf(value: Value): Expression {
  if (typeof value === 'object' && value !== null)
    return { kind: 'object', entries: Object.entries(value).map(([name, part]) => [name, literalOf(part)]) }
  return { kind: 'literal', value: String(value) }
}

const noNames = { resource: String, secret: String }
