resource "svc_select_permission" "customer_clerk" {
  source      = svc_mssql_source.shop.name
  table       = svc_table.customer.table
  role        = "clerk"
  all_columns = true
  filter      = jsonencode({})
}

resource "svc_select_permission" "customer_customer" {
  source  = svc_mssql_source.shop.name
  table   = svc_table.customer.table
  role    = "customer"
  columns = ["email", "id", "name"]
  filter  = jsonencode({ id = { _eq = "X-Svc-User-Id" } })
}

resource "svc_select_permission" "order_line_clerk" {
  source      = svc_mssql_source.shop.name
  table       = svc_table.order_line.table
  role        = "clerk"
  all_columns = true
  filter      = jsonencode({})
}

resource "svc_select_permission" "order_line_customer" {
  source     = svc_mssql_source.shop.name
  table      = svc_table.order_line.table
  role       = "customer"
  columns    = ["order_id", "product_id", "quantity"]
  filter     = jsonencode({ order = { customer_id = { _eq = "X-Svc-User-Id" } } })
  depends_on = [svc_object_relationship.order_line_order]
}

resource "svc_select_permission" "product_clerk" {
  source      = svc_mssql_source.shop.name
  table       = svc_table.product.table
  role        = "clerk"
  all_columns = true
  filter      = jsonencode({})
}

resource "svc_select_permission" "product_customer" {
  source             = svc_mssql_source.shop.name
  table              = svc_table.product.table
  role               = "customer"
  columns            = ["id", "name", "price"]
  filter             = jsonencode({ is_sold = { _eq = true } })
  allow_aggregations = true
}

resource "svc_select_permission" "order_clerk" {
  source             = svc_mssql_source.shop.name
  table              = svc_table.order.table
  role               = "clerk"
  all_columns        = true
  filter             = jsonencode({})
  allow_aggregations = true
}

resource "svc_select_permission" "order_customer" {
  source  = svc_mssql_source.shop.name
  table   = svc_table.order.table
  role    = "customer"
  columns = ["id", "placed_at", "state"]
  filter  = jsonencode({ customer_id = { _eq = "X-Svc-User-Id" } })
}

resource "svc_insert_permission" "order_line_customer" {
  source     = svc_mssql_source.shop.name
  table      = svc_table.order_line.table
  role       = "customer"
  columns    = ["order_id", "product_id", "quantity"]
  check      = jsonencode({ order = { customer_id = { _eq = "X-Svc-User-Id" } } })
  depends_on = [svc_object_relationship.order_line_order]
}

resource "svc_insert_permission" "order_customer" {
  source  = svc_mssql_source.shop.name
  table   = svc_table.order.table
  role    = "customer"
  columns = ["id"]
  check   = jsonencode({})
  set     = jsonencode({ customer_id = "X-Svc-User-Id" })
}

resource "svc_update_permission" "product_clerk" {
  source  = svc_mssql_source.shop.name
  table   = svc_table.product.table
  role    = "clerk"
  columns = ["is_sold", "name", "price"]
  filter  = jsonencode({})
  check   = jsonencode({ price = { _gte = 0 } })
}
