resource "svc_table" "playlist" {
  table = { name = "playlist" }
}

# A curator's server deletes the playlist of the session; clients that speak to the engine themselves cannot.
resource "svc_delete_permission" "playlist_curator" {
  table        = svc_table.playlist.table
  role         = "curator"
  filter       = jsonencode({ id = { _eq = "X-Svc-Playlist-Id" } })
  backend_only = true
}
