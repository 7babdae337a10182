locals {
  # table.name = the table's own column with a foreign key
  to_one = {
    "album.artist"            = "artist_id"
    "customer.support_rep"    = "support_rep_id"
    "invoice.customer"        = "customer_id"
    "invoice_line.invoice"    = "invoice_id"
    "invoice_line.track"      = "track_id"
    "playlist_track.playlist" = "playlist_id"
    "playlist_track.track"    = "track_id"
    "track.album"             = "album_id"
    "track.genre"             = "genre_id"
    "track.media_type"        = "media_type_id"
  }

  # table.name = the other table's column with a foreign key to this one
  to_many = {
    "album.tracks"           = "track.album_id"
    "artist.albums"          = "album.artist_id"
    "customer.invoices"      = "invoice.customer_id"
    "employee.customers"     = "customer.support_rep_id"
    "employee.reports"       = "employee.reports_to"
    "genre.tracks"           = "track.genre_id"
    "invoice.lines"          = "invoice_line.invoice_id"
    "media_type.tracks"      = "track.media_type_id"
    "playlist.entries"       = "playlist_track.playlist_id"
    "track.invoice_lines"    = "invoice_line.track_id"
    "track.playlist_entries" = "playlist_track.track_id"
  }

  # A view has no foreign keys: columns that equal each other are named.
  to_view = {
    "customer.sales"          = { other = "customer_sales", columns = { id = "customer_id" } }
    "customer_sales.customer" = { other = "customer", columns = { customer_id = "id" } }
    "genre.sales"             = { other = "genre_sales", columns = { id = "genre_id" } }
    "genre_sales.genre"       = { other = "genre", columns = { genre_id = "id" } }
  }
}

resource "svc_object_relationship" "to_one" {
  for_each = local.to_one

  source              = svc_source.store.name
  table               = svc_table.store[split(".", each.key)[0]].table
  name                = split(".", each.key)[1]
  foreign_key_columns = [each.value]
}

resource "svc_object_relationship" "manager" {
  source              = svc_source.store.name
  table               = svc_table.store["employee"].table
  name                = "manager"
  foreign_key_columns = ["reports_to"]
  comment             = "Null for the general manager"
}

resource "svc_object_relationship" "to_view" {
  for_each = local.to_view

  source = svc_source.store.name
  table  = svc_table.store[split(".", each.key)[0]].table
  name   = split(".", each.key)[1]

  manual_configuration = {
    remote_table   = svc_table.store[each.value.other].table
    column_mapping = each.value.columns
  }
}

resource "svc_array_relationship" "to_many" {
  for_each = local.to_many

  source = svc_source.store.name
  table  = svc_table.store[split(".", each.key)[0]].table
  name   = split(".", each.key)[1]

  remote_foreign_key = {
    table   = svc_table.store[split(".", each.value)[0]].table
    columns = [split(".", each.value)[1]]
  }
}
