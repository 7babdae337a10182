resource "svc_logical_model" "sold_product" {
  source = svc_mssql_source.shop.name
  name   = "sold_product"
  fields = [{ name = "product_id", scalar = "int" }, { name = "sold", scalar = "bigint" }]
}

resource "svc_native_query" "best_sellers" {
  source          = svc_mssql_source.shop.name
  root_field_name = "best_sellers"
  code            = <<-SQL
    SELECT line.product_id, sum(CAST(line.quantity AS bigint)) AS sold
    FROM dbo.order_line AS line
    JOIN sales.[order] AS o ON o.id = line.order_id
    WHERE o.placed_at >= {{since}}
    GROUP BY line.product_id
  SQL
  arguments       = { since = { type = "datetime2", description = "From when on" } }
  returns         = svc_logical_model.sold_product.name
}

resource "svc_stored_procedure" "products_to_order" {
  source           = svc_mssql_source.shop.name
  stored_procedure = { schema = "sales", name = "products_to_order" }
  custom_name      = "products_to_order"
  returns          = svc_logical_model.sold_product.name
  arguments        = { at_least = { type = "int" } }
}

resource "svc_logical_model_permission" "sold_product_clerk" {
  source        = svc_mssql_source.shop.name
  logical_model = svc_logical_model.sold_product.name
  role          = "clerk"
  all_columns   = true
  filter        = jsonencode({})
}
