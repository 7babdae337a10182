import './attribute-meta.ts'
import { z } from 'zod'

/** What a plan does with what the engine would refuse. */
export const previewChecks = ['error', 'strict', 'lenient', 'warn', 'off'] as const

/** The configuration of the provider itself. Environment variables stand in for what is not given. */
export const providerConfig = {
  endpoint: z.string().optional().meta({
    description: 'Address of the engine, such as `http://localhost:8080`. Or `SVC_GRAPHQL_ENDPOINT`.',
  }),
  admin_secret: z.string().optional().meta({
    description: 'Its admin secret. Or `SVC_GRAPHQL_ADMIN_SECRET`, which keeps it out of every file.',
    sensitive: true,
  }),
  certificate_authority: z.string().optional().meta({
    description: 'File with certificates to trust. Or `SVC_GRAPHQL_CERTIFICATE_AUTHORITY`.',
  }),
  insecure_skip_tls_verify: z.boolean().optional().meta({
    description: 'Whether to trust any certificate. Or `SVC_GRAPHQL_INSECURE_SKIP_TLS_VERIFY`.',
  }),
  catalog_id: z.string().min(1, 'must not be empty').optional().meta({
    description:
      'The catalogue that the engine is to have, as `svc_metadata` and the header `X-Svc-Catalog-Id` say it: an engine with another one is refused before anything is read or written. Or `SVC_GRAPHQL_CATALOG_ID`.',
  }),
  preview_checks: z.enum(previewChecks).default('error').meta({
    description:
      'What a plan does with what the engine would refuse. `error`: it fails, also where the engine could not be asked. `strict`, for CI: it fails for what still needs an object that nobody has made when the plan ends, too, of which `error` warns. `lenient`: as `error`, but a plan that could not be checked is a warning. `warn`: all of it is a warning, for a pipeline that adds a column in the same deployment. `off`: the engine is not asked. Or `SVC_GRAPHQL_PREVIEW_CHECKS`.',
  }),
  adopt_existing: z.boolean().default(false).meta({
    description:
      'Whether making an object that is there already, and equal, takes it over. Or `SVC_GRAPHQL_ADOPT_EXISTING`.',
  }),
  introspect_remote_schemas: z.boolean().optional().meta({
    description:
      'Whether a plan asks the servers of all remote schemas what they serve now, and warns of what does not fit any more. Or `SVC_GRAPHQL_INTROSPECT_REMOTE_SCHEMAS`.',
  }),
  default_source: z.string().min(1, 'must not be empty').optional().meta({
    description:
      'The source of everything that lies in one and does not say which. Without it `default`. Or `SVC_GRAPHQL_DEFAULT_SOURCE`.',
  }),
  default_role: z.string().min(1, 'must not be empty').optional().meta({
    description: 'The role of every permission that does not say which. Or `SVC_GRAPHQL_DEFAULT_ROLE`.',
  }),
  request_timeout: z
    .number()
    .positive('must be above 0')
    .default(120)
    .meta({ description: 'Seconds that one request to the engine may take. Or `SVC_GRAPHQL_REQUEST_TIMEOUT`.' }),
}
