# The same metadata as the directory ../metadata.
#
#   export SVC_GRAPHQL_ENDPOINT=http://localhost:8080 SVC_GRAPHQL_ADMIN_SECRET=...
#   terraform init && terraform apply

terraform {
  required_version = ">= 1.11"

  required_providers {
    svc = {
      source  = "svc/svc"
      version = "0.2.0"
    }
  }
}

resource "svc_bigquery_source" "warehouse" {
  name                     = "warehouse"
  service_account_from_env = "WAREHOUSE_KEY"
  project_id_from_env      = "WAREHOUSE_PROJECT"
  datasets                 = ["sales"]
  global_select_limit      = 500
  maximum_bytes_billed     = 2000000000
  customization            = { root_fields = { namespace = "warehouse" } }
}
