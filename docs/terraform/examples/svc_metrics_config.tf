# There is one of it in an engine.
resource "svc_metrics_config" "all" {
  analyze_query_variables = true
}
