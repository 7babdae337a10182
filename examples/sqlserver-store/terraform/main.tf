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

resource "svc_mssql_source" "shop" {
  name                       = "shop"
  connection_string_from_env = "SHOP_MSSQL"
  isolation_level            = "snapshot"
  pool_settings              = { max_connections = 20, idle_timeout = 5 }
  customization              = { root_fields = { namespace = "shop" } }
}
