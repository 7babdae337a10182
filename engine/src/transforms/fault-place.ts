import type { RequestTransform, ResponseTransform } from '@svc/schema'
import { isRecord } from '@svc/schema'
import { compileRequestTransform, compileResponseTransform } from './compile-transform.ts'

/** From the transform to the first template that does not parse; empty where all do. */
export function placeOfFault(declared: RequestTransform | ResponseTransform): readonly string[] {
  const { body } = declared
  const inBody = body !== undefined && compileResponseTransform({ ...common, body }).kind === 'errors'
  if (inBody) return ['body', ...placeInBody(body)]
  const { url, query_params: query, request_headers: headers } = declared as RequestTransform
  if (url !== undefined && fails({ url })) return ['url']
  if (query !== undefined && fails({ query_params: query })) {
    const keys = isRecord(query) ? Object.keys(query) : []
    const key = keys.find((one) => fails({ query_params: { [one]: (isRecord(query) && query[one]) || null } }))
    return ['query_params', ...(key === undefined ? [] : [key])]
  }
  const added = Object.entries(headers?.add_headers ?? {})
  const header = added.find(([name, text]) => fails({ request_headers: { add_headers: { [name]: text } } }))
  return header ? ['request_headers', 'add_headers', header[0]] : []
}

const common = { version: 2, template_engine: 'Kriti' } as const

const fails = (part: Partial<RequestTransform>): boolean =>
  compileRequestTransform({ ...common, ...part }).kind === 'errors'

function placeInBody(body: NonNullable<RequestTransform['body']>): readonly string[] {
  if (typeof body === 'string') return []
  if (body.action === 'transform') return ['template']
  const fields = Object.entries(body.form_template ?? {})
  const field = fields.find(([name, text]) =>
    fails({ body: { action: 'x_www_form_urlencoded', form_template: { [name]: text } } }),
  )
  return ['form_template', ...(field ? [field[0]] : [])]
}
