resource "svc_table" "playlist" {
  table = { name = "playlist" }
}

# A curator renames the playlist of the session, but not to nothing.
resource "svc_update_permission" "playlist_curator" {
  table   = svc_table.playlist.table
  role    = "curator"
  columns = ["name"]
  filter  = jsonencode({ id = { _eq = "X-Svc-Playlist-Id" } })
  check   = jsonencode({ name = { _is_null = false } })
}
