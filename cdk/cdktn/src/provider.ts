// Made from the declarations by `npm run cdk`: do not edit.

import { type IResolvable, TerraformProvider } from 'cdktn'
import type { Construct } from 'constructs'
import { type Inputs, toHcl, toTerraform } from './to-terraform.ts'

export interface SvcProviderConfig {
  /** Address of the engine, such as `http://localhost:8080`. Or `SVC_GRAPHQL_ENDPOINT`. */
  readonly endpoint?: string | undefined
  /** Its admin secret. Or `SVC_GRAPHQL_ADMIN_SECRET`, which keeps it out of every file. */
  readonly adminSecret?: string | undefined
  /** An access token of the engine, or of an OIDC provider that it trusts, in place of the admin secret. Or `SVC_GRAPHQL_TOKEN`. */
  readonly token?: string | undefined
  /** File with the token of an OIDC provider, read for each request, in place of the admin secret. Or `SVC_GRAPHQL_OIDC_TOKEN_FILE`. */
  readonly oidcTokenFile?: string | undefined
  /** The audience of the tokens that GitHub Actions or Terraform Cloud issues to the run, in place of the admin secret. Or `SVC_GRAPHQL_OIDC_AUDIENCE`. */
  readonly oidcAudience?: string | undefined
  /** File with certificates to trust. Or `SVC_GRAPHQL_CERTIFICATE_AUTHORITY`. */
  readonly certificateAuthority?: string | undefined
  /** Whether to trust any certificate. Or `SVC_GRAPHQL_INSECURE_SKIP_TLS_VERIFY`. */
  readonly insecureSkipTlsVerify?: boolean | IResolvable | undefined
  /** The catalogue that the engine is to have, as `svc_metadata` and the header `X-Svc-Catalog-Id` say it: an engine with another one is refused before anything is read or written. Or `SVC_GRAPHQL_CATALOG_ID`. */
  readonly catalogId?: string | undefined
  /** What a plan does with what the engine would refuse. `error`: it fails, also where the engine could not be asked. `strict`, for CI: it fails for what still needs an object that nobody has made when the plan ends, too, of which `error` warns. `lenient`: as `error`, but a plan that could not be checked is a warning. `warn`: all of it is a warning, for a pipeline that adds a column in the same deployment. `off`: the engine is not asked. Or `SVC_GRAPHQL_PREVIEW_CHECKS`. One of `error`, `strict`, `lenient`, `warn`, `off`. Default: `"error"`. */
  readonly previewChecks?: string | undefined
  /** Whether making an object that is there already, and equal, takes it over. Or `SVC_GRAPHQL_ADOPT_EXISTING`. Default: `false`. */
  readonly adoptExisting?: boolean | IResolvable | undefined
  /** Whether a plan asks the servers of all remote schemas what they serve now, and warns of what does not fit any more. Or `SVC_GRAPHQL_INTROSPECT_REMOTE_SCHEMAS`. */
  readonly introspectRemoteSchemas?: boolean | IResolvable | undefined
  /** The source of everything that lies in one and does not say which. Without it `default`. Or `SVC_GRAPHQL_DEFAULT_SOURCE`. */
  readonly defaultSource?: string | undefined
  /** The role of every permission that does not say which. Or `SVC_GRAPHQL_DEFAULT_ROLE`. */
  readonly defaultRole?: string | undefined
  /** Seconds that one request to the engine may take. Or `SVC_GRAPHQL_REQUEST_TIMEOUT`. Default: `120`. */
  readonly requestTimeout?: number | undefined
  /** For a second provider beside the first. */
  readonly alias?: string | undefined
}

const inputs: Inputs = {
  endpoint: ['endpoint', 'plain'],
  adminSecret: ['admin_secret', 'plain'],
  token: ['token', 'plain'],
  oidcTokenFile: ['oidc_token_file', 'plain'],
  oidcAudience: ['oidc_audience', 'plain'],
  certificateAuthority: ['certificate_authority', 'plain'],
  insecureSkipTlsVerify: ['insecure_skip_tls_verify', 'plain'],
  catalogId: ['catalog_id', 'plain'],
  previewChecks: ['preview_checks', 'plain'],
  adoptExisting: ['adopt_existing', 'plain'],
  introspectRemoteSchemas: ['introspect_remote_schemas', 'plain'],
  defaultSource: ['default_source', 'plain'],
  defaultRole: ['default_role', 'plain'],
  requestTimeout: ['request_timeout', 'plain'],
}

/** The engine whose metadata a stack declares. */
export class SvcProvider extends TerraformProvider {
  static readonly tfResourceType = 'svc'
  readonly #config: SvcProviderConfig
  #alias: string | undefined

  constructor(scope: Construct, id: string, config: SvcProviderConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'svc',
      terraformProviderSource: 'svc/svc',
      terraformGeneratorMetadata: {
        providerName: 'svc',
        providerVersion: '0.2.0',
        providerVersionConstraint: '0.2.0',
      },
    })
    this.#config = config
    this.#alias = config.alias
  }

  /** What distinguishes it from a first provider. */
  override get alias(): string | undefined {
    return this.#alias
  }

  override set alias(alias: string | undefined) {
    this.#alias = alias
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...toTerraform(inputs, this.#config), ...(this.alias !== undefined && { alias: this.alias }) }
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    const alias = { value: this.alias, isBlock: false, type: 'simple', storageClassType: 'string' }
    return { ...toHcl(inputs, this.#config), ...(this.alias !== undefined && { alias }) }
  }
}
