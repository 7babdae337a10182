# There is one of it in an engine.
resource "svc_api_limits" "all" {
  depth_limit = {
    global   = 7
    per_role = { reporting = 12 }
  }
  time_limit = { global = 5 }
  rate_limit = {
    global   = { max_reqs_per_min = 600, unique_by_ip = true }
    per_role = { user = { max_reqs_per_min = 120, unique_params = ["x-svc-user-id"] } }
  }
}
