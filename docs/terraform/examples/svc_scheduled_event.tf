resource "svc_scheduled_event" "stock_taking" {
  webhook     = "https://shop.example.com/stock-taking"
  schedule_at = "2090-01-02T06:00:00Z"
  payload     = jsonencode({ warehouse = 1 })
  retry_conf  = { num_retries = 3 }
  comment     = "Once, before the new year's sales"
}
