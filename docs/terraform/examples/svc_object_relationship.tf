resource "svc_table" "artist" {
  table = { name = "artist" }
}

resource "svc_table" "album" {
  table = { name = "album" }
}

resource "svc_object_relationship" "album_artist" {
  # An output of the table: this waits for it, and is made again when it is replaced.
  table               = svc_table.album.table
  name                = "artist"
  foreign_key_columns = ["artist_id"]
  # With a foreign key no other table is named: Terraform needs `depends_on` to make it first.
  depends_on = [svc_table.artist]
}
