# The address and the token remain in the engine's environment.
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
