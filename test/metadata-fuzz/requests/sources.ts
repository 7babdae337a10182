import type { Item } from '../plain-document.ts'
import { shopVariable } from '../world.ts'
import type { Choices, Generator } from './choose.ts'

const names = ['default', 'shop', 'third'] as const

function configuration(choose: Choices, source: string): Item {
  const from_env = source === 'default' ? 'SVC_GRAPHQL_DATABASE_URL' : shopVariable
  const connection_info = {
    database_url: choose.chance(0.95)
      ? { from_env }
      : choose.pick([{ from_env: 'NOT_SET' }, 'postgres://nobody@127.0.0.1:1/none']),
    ...choose.maybe(0.2, () => ({ isolation_level: choose.pick(['read-committed', 'repeatable-read']) })),
    ...choose.maybe(0.2, () => ({ pool_settings: { max_connections: choose.pick([5, 6]) } })),
    ...choose.maybe(0.1, () => ({ use_prepared_statements: true })),
  }
  return { connection_info }
}

function customization(choose: Choices): Item {
  return {
    ...choose.maybe(0.5, () => ({ type_names: { prefix: choose.pick(['p_', 'shop_']) } })),
    ...choose.maybe(0.5, () => ({ root_fields: { namespace: choose.pick(['shop', 'store']) } })),
    ...choose.maybe(0.2, () => ({ naming_convention: choose.pick(['svc-default', 'graphql-default']) })),
  }
}

const healthCheck = (choose: Choices): Item => ({
  interval: 600,
  ...choose.maybe(0.5, () => ({ test: { sql: 'SELECT 2' } })),
})

const known = (choose: Choices): string => choose.known(choose.named('sources'), names, 0.9)

export const sourceGenerators: readonly Generator[] = [
  [
    4,
    (choose) => {
      const name = choose.named('sources').includes('shop') ? choose.pick(names) : 'shop'
      return {
        type: 'add_source',
        args: {
          name,
          configuration: configuration(choose, name),
          ...choose.maybe(0.4, () => ({ replace_configuration: true })),
          ...choose.maybe(0.4, () => ({ customization: customization(choose) })),
          ...choose.maybe(0.2, () => ({ health_check: healthCheck(choose) })),
        },
      }
    },
  ],
  [
    2,
    (choose) => {
      const name = known(choose)
      return {
        type: 'update_source',
        args: {
          name,
          ...choose.maybe(0.3, () => ({ configuration: configuration(choose, name) })),
          ...choose.maybe(0.6, () => ({
            customization: choose.chance(0.2) ? choose.pick([null, {}]) : customization(choose),
          })),
          ...choose.maybe(0.3, () => ({ health_check: choose.chance(0.3) ? null : healthCheck(choose) })),
        },
      }
    },
  ],
  [
    1,
    (choose) => ({
      type: 'drop_source',
      args: { name: choose.chance(0.8) ? choose.pick(['shop', 'third']) : known(choose), cascade: choose.chance(0.6) },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'rename_source',
      args: {
        name: choose.chance(0.8) ? choose.pick(['shop', 'third']) : known(choose),
        new_name: choose.pick(['shop', 'third', 'shop']),
      },
    }),
  ],
  [
    1,
    (choose) => ({
      type: 'set_query_tags',
      args: {
        source_name: known(choose),
        ...choose.maybe(0.5, () => ({ disabled: choose.chance(0.5) })),
        ...choose.maybe(0.5, () => ({ format: choose.pick(['standard', 'sqlcommenter']) })),
      },
    }),
  ],
]
