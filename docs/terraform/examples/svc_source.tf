resource "svc_source" "reports" {
  name                  = "reports"
  database_url_from_env = "REPORTS_DATABASE_URL"

  pool_settings = {
    max_connections = 20
  }

  timeouts = {
    create = "1m"
  }
}

variable "database_url" {
  type      = string
  sensitive = true
  ephemeral = true
}

# The address is stored in no state and no plan. It is sent again when its version changes.
resource "svc_source" "archive" {
  name                    = "archive"
  database_url_wo         = var.database_url
  database_url_wo_version = 1

  customization = {
    root_fields = { namespace = "archive" }
  }
}
