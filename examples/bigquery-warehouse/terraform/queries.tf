resource "svc_logical_model" "sales_of_country" {
  source = svc_bigquery_source.warehouse.name
  name   = "sales_of_country"

  fields = [
    { name = "country", scalar = "STRING" },
    { name = "total", scalar = "NUMERIC", nullable = true },
  ]
}

resource "svc_native_query" "sales_by_country" {
  source          = svc_bigquery_source.warehouse.name
  root_field_name = "sales_by_country"
  code            = <<-SQL
    SELECT country, sum(total) AS total
    FROM sales.`order`
    WHERE placed_on >= {{since}}
    GROUP BY country
  SQL
  arguments       = { since = { type = "DATE" } }
  returns         = svc_logical_model.sales_of_country.name
}

resource "svc_logical_model_permission" "sales_of_country_analyst" {
  source        = svc_bigquery_source.warehouse.name
  logical_model = svc_logical_model.sales_of_country.name
  role          = "analyst"
  all_columns   = true
  filter        = jsonencode({ country = { _eq = "X-Svc-Country" } })
}
