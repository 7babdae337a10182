resource "svc_table" "order" {
  source = svc_bigquery_source.warehouse.name
  table  = { dataset = "sales", name = "order" }
}

resource "svc_table" "order_line" {
  source = svc_bigquery_source.warehouse.name
  table  = { dataset = "sales", name = "order_line" }
}

resource "svc_table" "product" {
  source = svc_bigquery_source.warehouse.name
  table  = { dataset = "sales", name = "product" }
}

resource "svc_object_relationship" "order_line_order" {
  source               = svc_bigquery_source.warehouse.name
  table                = svc_table.order_line.table
  name                 = "order"
  manual_configuration = { remote_table = svc_table.order.table, column_mapping = { order_id = "id" } }
}

resource "svc_object_relationship" "order_line_product" {
  source               = svc_bigquery_source.warehouse.name
  table                = svc_table.order_line.table
  name                 = "product"
  manual_configuration = { remote_table = svc_table.product.table, column_mapping = { product_id = "id" } }
}

resource "svc_array_relationship" "order_lines" {
  source               = svc_bigquery_source.warehouse.name
  table                = svc_table.order.table
  name                 = "lines"
  manual_configuration = { remote_table = svc_table.order_line.table, column_mapping = { id = "order_id" } }
}

resource "svc_array_relationship" "product_order_lines" {
  source               = svc_bigquery_source.warehouse.name
  table                = svc_table.product.table
  name                 = "order_lines"
  manual_configuration = { remote_table = svc_table.order_line.table, column_mapping = { id = "product_id" } }
}

resource "svc_computed_field" "order_similar" {
  source           = svc_bigquery_source.warehouse.name
  table            = svc_table.order.table
  name             = "similar"
  function         = { dataset = "sales", name = "similar_orders" }
  argument_mapping = { order_id = "id" }
  return_table     = svc_table.order.table
}
