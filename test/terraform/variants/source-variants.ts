import { type Config, changing, type Json, type Makers, nest, type Surroundings } from './variant.ts'

export function sourceVariants({ databaseUrl, urlFiles, urlVariables, users, otherPort }: Surroundings): Makers {
  const url = new URL(databaseUrl)
  const withUrl = (name: string): Config => ({ name, database_url: databaseUrl })
  const named = (name: string): Config => ({ name })
  const parameters = {
    username: users.same[0],
    password: users.password,
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
  }
  const field = (attribute: string, from: Json, to: Json) => {
    const [head = '', ...inner] = attribute.split('.')
    return { [attribute]: changing(withUrl, { [head]: nest(inner, from) }, { [head]: nest(inner, to) }) }
  }
  const parameter = (name: string, value: Json) => ({
    [`connection_parameters.${name}`]: changing(
      named,
      { connection_parameters: parameters },
      { connection_parameters: { ...parameters, [name]: value } },
    ),
  })
  const pool = (name: string) => field(`pool_settings.${name}`, 2, 3)
  const check = { interval: 60 }
  const checked = (name: string, from: Json, to: Json) => ({
    [`health_check.${name}`]: changing(
      withUrl,
      { health_check: { ...check, ...(nest(name.split('.'), from) as Config) } },
      { health_check: { ...check, ...(nest(name.split('.'), to) as Config) } },
    ),
  })
  const ssl = (name: string) => ({
    [`ssl_configuration.${name}.from_env`]: changing(
      withUrl,
      { ssl_configuration: { sslmode: 'disable' } },
      { ssl_configuration: { sslmode: 'disable', [name]: { from_env: 'SVC_TEST_EMPTY' } } },
    ),
  })
  return {
    name: (slot) => [withUrl(slot), withUrl(`${slot}_2`)],
    database_url: changing(named, { database_url: databaseUrl }, { database_url: `${databaseUrl}?application_name=b` }),
    database_url_from_env: changing(
      named,
      { database_url_from_env: urlVariables[0] },
      { database_url_from_env: urlVariables[1] },
    ),
    database_url_from_file: changing(
      named,
      { database_url_from_file: urlFiles[0] },
      { database_url_from_file: urlFiles[1] },
    ),
    ...parameter('username', users.same[1]),
    'connection_parameters.password': changing(
      named,
      { connection_parameters: { ...parameters, username: users.other } },
      { connection_parameters: { ...parameters, username: users.other, password: `${users.password}_changed` } },
    ),
    ...parameter('host', 'localhost'),
    ...parameter('port', otherPort),
    ...parameter('database', 'postgres'),
    database_url_wo: changing(
      named,
      { database_url_wo: databaseUrl, database_url_wo_version: 1 },
      { database_url_wo: `${databaseUrl}?application_name=c`, database_url_wo_version: 2 },
    ),
    database_url_wo_version: changing(
      named,
      { database_url_wo: databaseUrl, database_url_wo_version: 1 },
      { database_url_wo: `${databaseUrl}?application_name=d`, database_url_wo_version: 3 },
    ),
    ...field('isolation_level', 'read-committed', 'serializable'),
    ...pool('max_connections'),
    ...pool('total_max_connections'),
    ...pool('idle_timeout'),
    ...pool('retries'),
    ...pool('pool_timeout'),
    ...pool('connection_lifetime'),
    ...field('ssl_configuration.sslmode', 'disable', 'allow'),
    ...ssl('sslrootcert'),
    ...ssl('sslcert'),
    ...ssl('sslkey'),
    ...ssl('sslpassword'),
    ...field('use_prepared_statements', false, true),
    ...field('read_replicas', null, JSON.stringify([{ database_url: databaseUrl }])),
    ...field('extensions_schema', 'public', 'extensions'),
    ...field('connection_template', null, JSON.stringify({ template: '{{ $.default }}' })),
    ...field('connection_set', null, JSON.stringify([{ name: 'a', connection_info: { database_url: databaseUrl } }])),
    ...field('customization.root_fields.namespace', 'a', 'b'),
    ...field('customization.root_fields.prefix', 'a_', 'b_'),
    ...field('customization.root_fields.suffix', '_a', '_b'),
    ...field('customization.type_names.prefix', 'a_', 'b_'),
    ...field('customization.type_names.suffix', '_a', '_b'),
    ...field('customization.naming_convention', 'svc-default', 'graphql-default'),
    ...checked('test.sql', 'SELECT 1', 'SELECT 2'),
    ...checked('interval', 60, 90),
    ...checked('retries', 3, 4),
    ...checked('retry_interval', 10, 11),
    ...checked('timeout', 10, 12),
  }
}
