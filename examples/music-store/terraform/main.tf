# The music store as Terraform declares it: the same metadata as the directory ../metadata.
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

provider "svc" {
  # A first start of the engine makes the source "default": it is taken over, as long as it is what is declared here.
  adopt_existing = true
}

resource "svc_source" "store" {
  name                  = "default"
  database_url_from_env = "SVC_GRAPHQL_DATABASE_URL"

  pool_settings = {
    max_connections     = 50
    idle_timeout        = 180
    retries             = 1
    connection_lifetime = 600
  }
}

locals {
  tables = {
    album          = {}
    artist         = {}
    customer       = {}
    customer_sales = {}
    employee = {
      column_config = { reports_to = { custom_name = "manager_id" } }
    }
    genre        = {}
    genre_sales  = {}
    invoice      = {}
    invoice_line = {}
    media_type   = {}
    playlist     = {}
    playlist_track = {
      custom_name = "playlist_entry"
      comment     = "One track on one playlist"
    }
    track = {}
  }
}

resource "svc_table" "store" {
  for_each = local.tables

  source        = svc_source.store.name
  table         = { name = each.key }
  custom_name   = try(each.value.custom_name, null)
  comment       = try(each.value.comment, null)
  column_config = try(each.value.column_config, null)
}
