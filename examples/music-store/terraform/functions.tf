resource "svc_computed_field" "album_duration" {
  source   = svc_source.store.name
  table    = svc_table.store["album"].table
  name     = "duration"
  function = { name = "album_duration" }
  comment  = "In milliseconds"
}

# It returns albums: the table is to be there first.
resource "svc_function" "search_albums" {
  source     = svc_source.store.name
  function   = { name = "search_albums" }
  comment    = "Albums whose title has a word in it"
  depends_on = [svc_table.store]
}

resource "svc_logical_model" "best_seller" {
  source      = svc_source.store.name
  name        = "best_seller"
  description = "A track, and how it sells in a country"
  fields = [
    { name = "track_id", scalar = "integer" },
    { name = "sold", scalar = "bigint" },
    { name = "total", scalar = "numeric" },
  ]
}

resource "svc_logical_model_permission" "best_seller_employee" {
  source        = svc_source.store.name
  logical_model = svc_logical_model.best_seller.name
  role          = "employee"
  all_columns   = true
  filter        = jsonencode({})
}

resource "svc_native_query" "best_sellers" {
  source          = svc_source.store.name
  root_field_name = "best_sellers"
  code            = <<-SQL
    SELECT line.track_id, sum(line.quantity) AS sold, sum(line.quantity * line.unit_price) AS total
    FROM invoice_line AS line JOIN invoice ON invoice.id = line.invoice_id
    WHERE invoice.billing_country = {{country}}
    GROUP BY line.track_id
  SQL
  arguments = {
    country = { type = "text", description = "Where it is billed" }
  }
  returns = svc_logical_model.best_seller.name
  object_relationships = [
    {
      name           = "track"
      remote_table   = svc_table.store["track"].table
      column_mapping = { track_id = "id" }
    },
  ]
}
