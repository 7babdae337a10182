resource "svc_table" "customer" {
  table = { name = "customer" }
}

resource "svc_remote_schema" "crm" {
  name = "crm"
  url  = "{{CRM_URL}}"
  headers = [
    { name = "x-token", value_from_env = "CRM_TOKEN" },
  ]
  timeout_seconds = 10

  # query { crm { client(id: 1) { company } } }
  customization = {
    root_fields_namespace = "crm"
    type_names            = { prefix = "Crm" }
  }

  # A new version of the service may have another schema: the engine reads it.
  reload_when = "2026-11"
}

# query { customer { email client { company } } }
resource "svc_remote_relationship" "customer_client" {
  table = svc_table.customer.table
  name  = "client"
  to_remote_schema = {
    remote_schema = svc_remote_schema.crm.name
    lhs_fields    = ["id"]
    remote_field  = jsonencode({ client = { arguments = { id = "$id" } } })
  }
}

# A table of another source, joined by columns that no foreign key connects.
resource "svc_source" "reports" {
  name                  = "reports"
  database_url_from_env = "REPORTS_DATABASE_URL"
  customization = {
    root_fields = { prefix = "reports_" }
    type_names  = { prefix = "reports_" }
  }
}

resource "svc_table" "reports_invoice" {
  source = svc_source.reports.name
  table  = { name = "invoice" }
}

# query { customer { email reported_invoices { id total } } }
resource "svc_remote_relationship" "customer_reported_invoices" {
  table = svc_table.customer.table
  name  = "reported_invoices"
  to_source = {
    relationship_type = "array"
    source            = svc_source.reports.name
    table             = svc_table.reports_invoice.table
    field_mapping     = { id = "customer_id" }
  }
}
