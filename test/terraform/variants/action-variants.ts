import { type Config, changing, type Makers } from './variant.ts'
import { headerVariants, transformVariants } from './webhook-variants.ts'

export function actionVariants(): Makers {
  const base = (slot: string): Config => ({ name: slot, handler: 'http://localhost:1/a', output_type: 'String' })
  const argument = (attribute: string, from: Config, to: Config) => ({
    [`arguments.*.${attribute}`]: changing(
      base,
      { arguments: [{ name: 'a', type: 'String', ...from }] },
      { arguments: [{ name: 'a', type: 'String', ...to }] },
    ),
  })
  return {
    name: (slot) => [base(slot), { ...base(slot), name: `${slot}_2` }],
    handler: changing(base, {}, { handler: 'http://localhost:1/b' }),
    type: changing(base, {}, { type: 'query' }),
    kind: changing(base, {}, { kind: 'asynchronous' }),
    ...argument('name', {}, { name: 'b' }),
    ...argument('type', {}, { type: 'Int' }),
    ...argument('description', { description: 'a' }, { description: 'b' }),
    output_type: changing(base, {}, { output_type: 'Int' }),
    ...headerVariants(base),
    forward_client_headers: changing(base, {}, { forward_client_headers: true }),
    ignored_client_headers: changing(base, {}, { ignored_client_headers: ['Cookie'] }),
    timeout: changing(base, {}, { timeout: 5 }),
    ...transformVariants(base),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}

/** Each variant's action is there, and another with `_2`. */
export function actionPermissionVariants(): Makers {
  const base = (slot: string): Config => ({ action: slot, role: 'reader' })
  return {
    action: (slot) => [base(slot), { ...base(slot), action: `${slot}_2` }],
    role: changing(base, {}, { role: 'writer' }),
    comment: changing(base, { comment: 'first' }, { comment: 'second' }),
  }
}
