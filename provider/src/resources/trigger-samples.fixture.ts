/** What calls webhooks: event triggers and cron triggers. */
import { type KindSample, named } from './kind-sample.fixture.ts'
import { noRequestTransform } from './no-request-transform.fixture.ts'

export const eventTrigger: KindSample = {
  kind: 'EventTrigger',
  base: {
    source: 'default',
    table: named('artist'),
    name: 'on_artist',
    webhook: 'http://localhost:1/artist',
    webhook_from_env: null,
    insert: { all_columns: true, columns: null, payload: null },
    update: { all_columns: false, columns: ['name', 'owner'], payload: ['id', 'name'] },
    delete: null,
    enable_manual: true,
    headers: [{ name: 'x-who', value: 'the provider', value_from_env: null }],
    retry_conf: { num_retries: 3, interval_sec: 20, timeout_sec: 30, no_timeout: false },
    request_transform: {
      method: 'PUT',
      url: '{{$base_url}}/all',
      query_params: { of: '{{$body.table.name}}' },
      query_flags: ['all'],
      query_template: null,
      add_headers: null,
      remove_headers: ['x-old'],
      body: { action: 'transform', template: '{{$body.event}}', form_template: null },
    },
    response_transform: { body: { action: 'remove', template: null, form_template: null } },
    cleanup_config: {
      schedule: '0 3 * * *',
      clear_older_than: 168,
      batch_size: 500,
      timeout: 30,
      clean_invocation_logs: true,
      paused: false,
    },
    trigger_on_replication: true,
    comment: 'For the shop',
  },
  changes: {
    // both sources are one database: a trigger that kept its name or its table would wait for itself
    source: { source: 'twin', table: named('album'), name: 'on_album', update: null },
    table: { table: named('album'), update: null },
    name: { name: 'on_changed_artist' },
    webhook: { webhook: 'http://localhost:1/other' },
    webhook_from_env: { webhook: null, webhook_from_env: 'SVC_TEST_OTHER_URL' },
    insert: { insert: null },
    update: { update: { all_columns: true } },
    delete: { delete: { columns: ['id'] } },
    enable_manual: { enable_manual: false },
    headers: { headers: null },
    retry_conf: { retry_conf: { no_timeout: true } },
    request_transform: {
      request_transform: {
        query_template: '{{$body.id}}',
        body: { form_template: { a: '1' }, action: 'x_www_form_urlencoded' },
      },
    },
    response_transform: { response_transform: null },
    cleanup_config: { cleanup_config: { schedule: '0 3 * * *', clear_older_than: 24 } },
    trigger_on_replication: { trigger_on_replication: null },
    comment: { comment: null },
  },
  respelled: [
    { source: null, table: { name: 'artist' } },
    { insert: { all_columns: true }, update: { columns: ['owner', 'name'], payload: ['name', 'id', 'id'] } },
    { response_transform: { body: { action: 'remove' } } },
  ],
}

export const cronTrigger: KindSample = {
  kind: 'CronTrigger',
  base: {
    name: 'daily_report',
    webhook: 'http://localhost:1/report',
    webhook_from_env: null,
    schedule: '0 5 * * *',
    payload: JSON.stringify({ of: 'yesterday' }),
    headers: [{ name: 'x-who', value: 'the provider', value_from_env: null }],
    retry_conf: { num_retries: 3, retry_interval_seconds: 20, timeout_seconds: 30, tolerance_seconds: 3600 },
    request_transform: { ...noRequestTransform, method: 'PUT' },
    response_transform: { body: { action: 'transform', template: '{{$body}}', form_template: null } },
    comment: 'For the owner',
  },
  changes: {
    name: { name: 'nightly_report' },
    webhook: { webhook: 'http://localhost:1/other' },
    webhook_from_env: { webhook: null, webhook_from_env: 'SVC_TEST_OTHER_URL' },
    schedule: { schedule: '30 5 * * *' },
    payload: { payload: null },
    headers: { headers: null },
    retry_conf: { retry_conf: { num_retries: 1 } },
    request_transform: { request_transform: null },
    response_transform: { response_transform: null },
    comment: { comment: null },
  },
  respelled: [{ payload: '{ "of": "yesterday" }' }],
}
