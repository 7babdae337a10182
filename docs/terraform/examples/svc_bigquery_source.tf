resource "svc_bigquery_source" "warehouse" {
  name                     = "warehouse"
  service_account_from_env = "WAREHOUSE_KEY"
  project_id               = "acme"
  datasets                 = ["sales"]

  # no job may cost more than that: 2 GB
  maximum_bytes_billed = 2000000000
}

resource "svc_table" "order" {
  source = svc_bigquery_source.warehouse.name
  table  = { dataset = "sales", name = "order" }
}

resource "svc_select_permission" "order_analyst" {
  source  = svc_bigquery_source.warehouse.name
  table   = svc_table.order.table
  role    = "analyst"
  columns = ["id", "country", "total"]
  filter  = jsonencode({ country = { _eq = "X-Svc-Country" } })
}
