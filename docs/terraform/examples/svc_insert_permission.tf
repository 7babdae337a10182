resource "svc_table" "playlist" {
  table = { name = "playlist" }
}

# A curator adds playlists with a name. Their ids are given by the session, whatever a client asks for.
resource "svc_insert_permission" "playlist_curator" {
  table   = svc_table.playlist.table
  role    = "curator"
  columns = ["name"]
  check   = jsonencode({ name = { _is_null = false } })
  set     = jsonencode({ id = "X-Svc-Playlist-Id" })
}
