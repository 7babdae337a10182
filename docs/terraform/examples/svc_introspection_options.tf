# There is one of it in an engine.
resource "svc_introspection_options" "all" {
  disabled_for_roles = ["anonymous"]
}
