resource "svc_table" "artist" {
  table = { name = "artist" }
}

resource "svc_table" "album" {
  table = { name = "album" }
}

resource "svc_object_relationship" "album_artist" {
  table               = svc_table.album.table
  name                = "artist"
  foreign_key_columns = ["artist_id"]
  depends_on          = [svc_table.artist]
}

resource "svc_select_permission" "album_listener" {
  table   = svc_table.album.table
  role    = "listener"
  columns = ["id", "title"]
  limit   = 100

  filter = jsonencode({
    artist = { country = { _eq = "X-Svc-Country" } }
  })

  # The relationship in the filter is a plain name: Terraform needs `depends_on` to make it first.
  depends_on = [svc_object_relationship.album_artist]
}
