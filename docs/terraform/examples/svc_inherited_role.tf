resource "svc_table" "album" {
  table = { name = "album" }
}

resource "svc_select_permission" "album_listener" {
  table   = svc_table.album.table
  role    = "listener"
  columns = ["id", "title"]
  filter  = jsonencode({})
}

resource "svc_select_permission" "album_seller" {
  table       = svc_table.album.table
  role        = "seller"
  all_columns = true
  filter      = jsonencode({ artist_id = { _eq = "X-Svc-Artist-Id" } })
}

# Sees the titles of all albums, and everything of those by one artist.
resource "svc_inherited_role" "guide" {
  role_name = "guide"
  role_set  = [svc_select_permission.album_listener.role, svc_select_permission.album_seller.role]
}
