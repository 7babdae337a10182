resource "svc_select_permission" "order_analyst" {
  source             = svc_bigquery_source.warehouse.name
  table              = svc_table.order.table
  role               = "analyst"
  columns            = ["country", "id", "placed_on", "total"]
  filter             = jsonencode({ country = { _eq = "X-Svc-Country" } })
  allow_aggregations = true
}

resource "svc_select_permission" "order_line_analyst" {
  source     = svc_bigquery_source.warehouse.name
  table      = svc_table.order_line.table
  role       = "analyst"
  columns    = ["order_id", "product_id", "quantity"]
  filter     = jsonencode({ order = { country = { _eq = "X-Svc-Country" } } })
  depends_on = [svc_object_relationship.order_line_order]
}

resource "svc_select_permission" "product_analyst" {
  source  = svc_bigquery_source.warehouse.name
  table   = svc_table.product.table
  role    = "analyst"
  columns = ["category", "id", "name"]
  filter  = jsonencode({})
}
