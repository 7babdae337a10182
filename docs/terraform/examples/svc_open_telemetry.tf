# There is one of it in an engine.
resource "svc_open_telemetry" "all" {
  status     = "enabled"
  data_types = ["traces"]
  exporter_otlp = {
    otlp_traces_endpoint = "http://127.0.0.1:4318/v1/traces"
    resource_attributes  = [{ name = "service.name", value = "store" }]
    traces_propagators   = ["tracecontext"]
  }
}
