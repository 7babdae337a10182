resource "svc_table" "artist" {
  table = { name = "artist" }
}

resource "svc_table" "album" {
  table = { name = "album" }
}

resource "svc_array_relationship" "artist_albums" {
  table = svc_table.artist.table
  name  = "albums"

  remote_foreign_key = {
    table   = svc_table.album.table
    columns = ["artist_id"]
  }
}

resource "svc_array_relationship" "artist_namesakes" {
  table = svc_table.artist.table
  name  = "namesakes"

  manual_configuration = {
    remote_table   = svc_table.artist.table
    column_mapping = { name = "name" }
  }
}
