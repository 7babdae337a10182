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

# query { crm { clients { company customer { email } } } }
resource "svc_remote_type_relationship" "client_customer" {
  remote_schema = svc_remote_schema.crm.name
  type_name     = "Client"
  name          = "customer"
  to_source = {
    relationship_type = "object"
    source            = "default"
    table             = svc_table.customer.table
    field_mapping     = { id = "id" }
  }
}

# One client leads to another one, by a field of the same server.
resource "svc_remote_type_relationship" "client_advisor" {
  remote_schema = svc_remote_schema.crm.name
  type_name     = "Client"
  name          = "advisor"
  to_remote_schema = {
    remote_schema = svc_remote_schema.crm.name
    lhs_fields    = ["advisor_id"]
    remote_field  = jsonencode({ client = { arguments = { id = "$advisor_id" } } })
  }
}
