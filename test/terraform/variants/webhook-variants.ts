import { type Base, type Config, changing, inObject, type Makers, without } from './variant.ts'

/** Of the write-only form of an attribute; `beside`: what else the object has. */
export function writeOnlyVariants(base: Base, name: string, beside: Config = {}): Makers {
  const given = (value: string, version: number): Config => ({
    ...beside,
    [`${name}_wo`]: { 'x-secret': value },
    [`${name}_wo_version`]: version,
  })
  return {
    [`${name}_wo`]: changing(base, given('a', 1), given('b', 2)),
    [`${name}_wo_version`]: changing(base, given('a', 1), given('b', 3)),
  }
}

/** Of what a webhook is called with. */
export function headerVariants(base: Base): Makers {
  const header = (attribute: string, from: Config, to: Config) => ({
    [`headers.*.${attribute}`]: changing(
      base,
      { headers: [without({ name: 'x-key', value: 'a', ...from })] },
      { headers: [without({ name: 'x-key', value: 'a', ...to })] },
    ),
  })
  return {
    ...header('name', {}, { name: 'x-other' }),
    ...header('value', {}, { value: 'b' }),
    ...header(
      'value_from_env',
      { value: null, value_from_env: 'SVC_TEST_URL_A' },
      { value: null, value_from_env: 'SVC_TEST_URL_B' },
    ),
    ...writeOnlyVariants(base, 'headers'),
  }
}

export function transformVariants(base: Base): Makers {
  const request = inObject(base, 'request_transform', { method: 'PUT' })
  const body = (transform: string, attribute: string, from: Config, to: Config): Makers => ({
    [`${transform}.body.${attribute}`]: changing(base, { [transform]: { body: from } }, { [transform]: { body: to } }),
  })
  const bodies = (transform: string): Makers => ({
    ...body(transform, 'action', { action: 'transform', template: '1' }, { action: 'remove', template: '1' }),
    ...body(transform, 'template', { template: '{{$body.a}}' }, { template: '{{$body.b}}' }),
    ...body(
      transform,
      'form_template',
      { action: 'x_www_form_urlencoded', form_template: { a: '{{$body.a}}' } },
      { action: 'x_www_form_urlencoded', form_template: { a: '{{$body.b}}' } },
    ),
  })
  return {
    ...request('method', {}, { method: 'POST' }),
    ...request('url', { url: '{{$base_url}}/a' }, { url: '{{$base_url}}/b' }),
    ...request('query_params', { query_params: { a: '1' } }, { query_params: { a: '2' } }),
    ...request('query_flags', { query_flags: ['a'] }, { query_flags: ['b', 'a'] }),
    ...request('query_template', { query_template: 'a=1' }, { query_template: 'a=2' }),
    ...request('add_headers', { add_headers: { 'x-a': '1' } }, { add_headers: { 'x-a': '2' } }),
    ...writeOnlyVariants(base, 'request_transform_add_headers', { request_transform: { method: 'PUT' } }),
    ...request('remove_headers', { remove_headers: ['x-a'] }, { remove_headers: ['x-b'] }),
    ...bodies('request_transform'),
    ...bodies('response_transform'),
  }
}
