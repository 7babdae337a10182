resource "svc_table" "album" {
  table = { name = "album" }
}

resource "svc_select_permission" "album_listener" {
  table       = svc_table.album.table
  role        = "listener"
  all_columns = true
  filter      = jsonencode({})
}

resource "svc_function" "search_albums" {
  function   = { name = "search_albums" }
  depends_on = [svc_table.album]
}

resource "svc_function_permission" "search_albums_listener" {
  function = svc_function.search_albums.function
  role     = svc_select_permission.album_listener.role
}
