resource "svc_table" "album" {
  table = { name = "album" }
}

# CREATE FUNCTION album_duration(album album) RETURNS bigint STABLE …
resource "svc_computed_field" "album_duration" {
  table    = svc_table.album.table
  name     = "duration"
  function = { name = "album_duration" }
  comment  = "Milliseconds"
}

resource "svc_select_permission" "album_listener" {
  table           = svc_table.album.table
  role            = "listener"
  columns         = ["id", "title"]
  computed_fields = [svc_computed_field.album_duration.name]
  filter          = jsonencode({})
}
