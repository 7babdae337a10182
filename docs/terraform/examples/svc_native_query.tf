resource "svc_table" "album" {
  table = { name = "album" }
}

resource "svc_logical_model" "best_seller" {
  name = "best_seller"

  fields = [
    { name = "album_id", scalar = "integer" },
    { name = "sold", scalar = "bigint" },
  ]
}

resource "svc_native_query" "best_sellers" {
  root_field_name = "best_sellers"
  returns         = svc_logical_model.best_seller.name

  arguments = {
    country = { type = "text", description = "Where they were bought" }
  }

  code = <<-SQL
    SELECT track.album_id, sum(line.quantity)::bigint AS sold
    FROM invoice_line line
    JOIN invoice ON invoice.id = line.invoice_id AND invoice.billing_country = {{country}}
    JOIN track ON track.id = line.track_id
    GROUP BY track.album_id
  SQL

  object_relationships = [{
    name           = "album"
    remote_table   = svc_table.album.table
    column_mapping = { album_id = "id" }
  }]
}
