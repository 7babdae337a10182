resource "svc_table" "album" {
  table = { name = "album" }
}

resource "svc_table" "artist" {
  source  = "default"
  table   = { schema = "public", name = "artist" }
  comment = "Who plays"

  custom_root_fields = {
    select_by_pk = { name = "artist_by_id" }
  }

  column_config = {
    country = { custom_name = "home", comment = "Where they are from" }
  }
}
