resource "svc_table" "playlist" {
  table = { name = "playlist" }
}

# A curator adds playlists with a name. The session sets their ids, whatever a client sends.
resource "svc_insert_permission" "playlist_curator" {
  table   = svc_table.playlist.table
  role    = "curator"
  columns = ["name"]
  check   = jsonencode({ name = { _is_null = false } })
  set     = jsonencode({ id = "X-Svc-Playlist-Id" })
}
