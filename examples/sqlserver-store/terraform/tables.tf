resource "svc_table" "customer" {
  source = svc_mssql_source.shop.name
  table  = { name = "customer" }
}

resource "svc_table" "order_line" {
  source = svc_mssql_source.shop.name
  table  = { name = "order_line" }
}

resource "svc_table" "product" {
  source = svc_mssql_source.shop.name
  table  = { name = "product" }
}

resource "svc_table" "order" {
  source      = svc_mssql_source.shop.name
  table       = { schema = "sales", name = "order" }
  custom_name = "order"
}

resource "svc_object_relationship" "order_line_order" {
  source              = svc_mssql_source.shop.name
  table               = svc_table.order_line.table
  name                = "order"
  foreign_key_columns = ["order_id"]
}

resource "svc_object_relationship" "order_line_product" {
  source              = svc_mssql_source.shop.name
  table               = svc_table.order_line.table
  name                = "product"
  foreign_key_columns = ["product_id"]
}

resource "svc_object_relationship" "order_customer" {
  source              = svc_mssql_source.shop.name
  table               = svc_table.order.table
  name                = "customer"
  foreign_key_columns = ["customer_id"]
}

resource "svc_array_relationship" "customer_orders" {
  source             = svc_mssql_source.shop.name
  table              = svc_table.customer.table
  name               = "orders"
  remote_foreign_key = { table = svc_table.order.table, columns = ["customer_id"] }
}

resource "svc_array_relationship" "product_order_lines" {
  source             = svc_mssql_source.shop.name
  table              = svc_table.product.table
  name               = "order_lines"
  remote_foreign_key = { table = svc_table.order_line.table, columns = ["product_id"] }
}

resource "svc_array_relationship" "order_lines" {
  source             = svc_mssql_source.shop.name
  table              = svc_table.order.table
  name               = "lines"
  remote_foreign_key = { table = svc_table.order_line.table, columns = ["order_id"] }
}

resource "svc_event_trigger" "order_order_placed" {
  source           = svc_mssql_source.shop.name
  table            = svc_table.order.table
  name             = "order_placed"
  webhook_from_env = "ORDERS_WEBHOOK"
  insert           = { all_columns = true }
  retry_conf       = { num_retries = 3 }
}
