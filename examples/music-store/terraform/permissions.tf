locals {
  # What anybody may see of the catalogue.
  catalogue = {
    album          = ["id", "artist_id", "title", "released_on"]
    artist         = ["id", "name", "country"]
    genre          = ["id", "name"]
    media_type     = ["id", "name", "lossless"]
    playlist       = ["id", "name"]
    playlist_track = ["playlist_id", "track_id"]
    track = [
      "id", "album_id", "position", "name", "genre_id", "media_type_id", "composer", "milliseconds", "unit_price",
    ]
  }
  # What functions compute from a row of it.
  computed = {
    album = [svc_computed_field.album_duration.name]
  }
  at_most_100     = ["playlist_track", "track"]
  customers_count = ["album", "artist", "track"]

  themselves   = { _eq = "X-Svc-Customer-Id" }
  those_served = { support_rep_id = { _eq = "X-Svc-Employee-Id" } }

  # Whose rows an employee may see; all rows where nothing is said.
  employee_rows = merge({ for table in keys(local.catalogue) : table => {} }, {
    customer       = local.those_served
    customer_sales = { customer = local.those_served }
    genre_sales    = {}
    invoice        = { customer = local.those_served }
    invoice_line   = { invoice = { customer = local.those_served } }
  })
}

resource "svc_select_permission" "listener" {
  for_each = local.catalogue

  source  = svc_source.store.name
  table   = svc_table.store[each.key].table
  role    = "listener"
  columns = each.value
  filter  = jsonencode({})
  limit   = contains(local.at_most_100, each.key) ? 100 : null

  computed_fields = lookup(local.computed, each.key, null)
}

resource "svc_select_permission" "customer_catalogue" {
  for_each = local.catalogue

  source             = svc_source.store.name
  table              = svc_table.store[each.key].table
  role               = "customer"
  columns            = each.value
  computed_fields    = lookup(local.computed, each.key, null)
  filter             = jsonencode({})
  limit              = contains(local.at_most_100, each.key) ? 100 : null
  allow_aggregations = contains(local.customers_count, each.key)
}

resource "svc_select_permission" "customer_themselves" {
  source  = svc_source.store.name
  table   = svc_table.store["customer"].table
  role    = "customer"
  columns = ["id", "first_name", "last_name", "company", "email", "city", "country"]
  filter  = jsonencode({ id = local.themselves })
  comment = "Only themselves"
}

resource "svc_select_permission" "customer_sales" {
  source      = svc_source.store.name
  table       = svc_table.store["customer_sales"].table
  role        = "customer"
  all_columns = true
  filter      = jsonencode({ customer_id = local.themselves })
}

resource "svc_select_permission" "customer_invoice" {
  source             = svc_source.store.name
  table              = svc_table.store["invoice"].table
  role               = "customer"
  all_columns        = true
  filter             = jsonencode({ customer_id = local.themselves })
  allow_aggregations = true
  comment            = "Only their own purchases"
}

resource "svc_select_permission" "customer_invoice_line" {
  source  = svc_source.store.name
  table   = svc_table.store["invoice_line"].table
  role    = "customer"
  columns = ["id", "invoice_id", "track_id", "unit_price", "quantity"]
  # A relationship in a filter is a plain name: that it is to be there first, Terraform needs `depends_on`.
  filter     = jsonencode({ invoice = { customer_id = local.themselves } })
  depends_on = [svc_object_relationship.to_one]
}

resource "svc_select_permission" "customer_employee" {
  source     = svc_source.store.name
  table      = svc_table.store["employee"].table
  role       = "customer"
  columns    = ["id", "first_name", "last_name", "email"]
  filter     = jsonencode({ customers = { id = local.themselves } })
  comment    = "Whom to ask: their own support representative"
  depends_on = [svc_array_relationship.to_many]
}

resource "svc_insert_permission" "customer_invoice" {
  source  = svc_source.store.name
  table   = svc_table.store["invoice"].table
  role    = "customer"
  columns = ["billing_city", "billing_country", "total"]
  check   = jsonencode({ customer_id = local.themselves })
  set     = jsonencode({ customer_id = "X-Svc-Customer-Id", invoiced_at = "now" })
  comment = "They buy for themselves"
}

resource "svc_insert_permission" "customer_invoice_line" {
  source  = svc_source.store.name
  table   = svc_table.store["invoice_line"].table
  role    = "customer"
  columns = ["invoice_id", "track_id", "unit_price", "quantity"]
  check = jsonencode({
    invoice = { customer_id = local.themselves }
    track   = { unit_price = { _ceq = ["$", "unit_price"] } }
  })
  comment    = "On their own invoices, at the price of the track"
  depends_on = [svc_object_relationship.to_one]
}

resource "svc_update_permission" "customer_themselves" {
  source  = svc_source.store.name
  table   = svc_table.store["customer"].table
  role    = "customer"
  columns = ["company", "email", "city", "country"]
  filter  = jsonencode({ id = local.themselves })
  check   = jsonencode({ id = local.themselves })
  comment = "Only their own account"
}

resource "svc_select_permission" "employee" {
  for_each = local.employee_rows

  source             = svc_source.store.name
  table              = svc_table.store[each.key].table
  role               = "employee"
  all_columns        = true
  computed_fields    = lookup(local.computed, each.key, null)
  filter             = jsonencode(each.value)
  allow_aggregations = true
  comment            = each.key == "customer" ? "Only those they look after" : null
  depends_on         = [svc_object_relationship.to_one, svc_object_relationship.to_view]
}

resource "svc_select_permission" "employee_employee" {
  source  = svc_source.store.name
  table   = svc_table.store["employee"].table
  role    = "employee"
  columns = ["id", "first_name", "last_name", "title", "reports_to", "email", "hired_on"]
  filter  = jsonencode({})
}
