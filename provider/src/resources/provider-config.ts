import type { Inputs } from './attributes-of.ts'

/** What a plan does with what the engine would refuse. */
export const previewChecks = ['error', 'strict', 'lenient', 'warn', 'off'] as const

const text = { type: 'string', optional: true } as const
const flag = { type: 'boolean', optional: true } as const

/** The configuration of the provider itself. Environment variables are used for what is not set. */
export const providerConfig: Inputs = {
  endpoint: {
    ...text,
    description: 'Address of the engine, such as `http://localhost:8080`. Or `SVC_GRAPHQL_ENDPOINT`.',
  },
  admin_secret: {
    ...text,
    description: 'Its admin secret. Or `SVC_GRAPHQL_ADMIN_SECRET`, which keeps it out of every file.',
    sensitive: true,
  },
  token: {
    ...text,
    description:
      'An access token of the engine, or of an OIDC provider that it trusts, in place of the admin secret. Or `SVC_GRAPHQL_TOKEN`.',
    sensitive: true,
  },
  oidc_token_file: {
    ...text,
    description:
      'File with the token of an OIDC provider, read for each request, in place of the admin secret. Or `SVC_GRAPHQL_OIDC_TOKEN_FILE`.',
    refuses: 'empty',
  },
  oidc_audience: {
    ...text,
    description:
      'The audience of the tokens that GitHub Actions or Terraform Cloud issues to the run, in place of the admin secret. Or `SVC_GRAPHQL_OIDC_AUDIENCE`.',
    refuses: 'empty',
  },
  certificate_authority: {
    ...text,
    description: 'File with certificates to trust. Or `SVC_GRAPHQL_CERTIFICATE_AUTHORITY`.',
  },
  insecure_skip_tls_verify: {
    ...flag,
    description: 'Whether to trust any certificate. Or `SVC_GRAPHQL_INSECURE_SKIP_TLS_VERIFY`.',
  },
  catalog_id: {
    ...text,
    description:
      'The catalogue that the engine is to have, as `svc_metadata` and the header `X-Svc-Catalog-Id` say it: an engine with another one is refused before anything is read or written. Or `SVC_GRAPHQL_CATALOG_ID`.',
    refuses: 'empty',
  },
  owner: {
    ...text,
    description:
      'The name under which the engine keeps what this stack makes as its own: any other client that changes it is warned or refused. Unique for each stack, and the same in each run; in Pulumi `{project}` and `{stack}` in it stand for those of the run. Or `SVC_GRAPHQL_OWNER`.',
    refuses: 'empty',
  },
  preview_checks: {
    type: { kind: 'string', choices: previewChecks },
    description:
      'What a plan does with what the engine would refuse. `error`: it fails, also where the engine could not be asked. `strict`, for CI: it fails for what still needs an object that no one has made when the plan ends, too, of which `error` warns. `lenient`: as `error`, but a plan that could not be checked is a warning. `warn`: all of it is a warning, for a pipeline that adds a column in the same deployment. `off`: the engine is not asked. Or `SVC_GRAPHQL_PREVIEW_CHECKS`.',
    default: 'error',
  },
  plan_id: {
    ...text,
    description:
      'A UUID of your choice, by which the engine knows what this plan would make: a draft is made of it (`svc plan --of`). A new one for each plan. Or `SVC_GRAPHQL_PLAN_ID`.',
    refuses: 'empty',
  },
  draft: {
    ...text,
    description:
      'The hash of the draft that was approved: an apply writes metadata as that draft has it, and is refused where anything else would come out, or others have changed something since. Or `SVC_GRAPHQL_DRAFT`.',
    refuses: 'empty',
  },
  adopt_existing: {
    ...flag,
    description:
      'Whether making an object that is there already, and equal, takes it over. Or `SVC_GRAPHQL_ADOPT_EXISTING`.',
    default: false,
  },
  introspect_remote_schemas: {
    ...flag,
    description:
      'Whether a plan asks the servers of all remote schemas what they serve now, and warns of what does not fit any more. Or `SVC_GRAPHQL_INTROSPECT_REMOTE_SCHEMAS`.',
  },
  default_source: {
    ...text,
    description: 'The source of objects that do not set one. Without it `default`. Or `SVC_GRAPHQL_DEFAULT_SOURCE`.',
    refuses: 'empty',
  },
  default_role: {
    ...text,
    description: 'The role of every permission that does not say which. Or `SVC_GRAPHQL_DEFAULT_ROLE`.',
    refuses: 'empty',
  },
  request_timeout: {
    description: 'Seconds that one request to the engine may take. Or `SVC_GRAPHQL_REQUEST_TIMEOUT`.',
    type: 'number',
    default: 120,
    refuses: 'not-positive',
  },
}
