# Every night at five, UTC; when the call fails, twice more.
resource "svc_cron_trigger" "daily_report" {
  name     = "daily_report"
  webhook  = "https://reports.example.com/daily"
  schedule = "0 5 * * *"
  payload  = jsonencode({ of = "yesterday" })

  headers = [
    { name = "x-from", value = "the store" },
  ]

  retry_conf = { num_retries = 2 }
}
