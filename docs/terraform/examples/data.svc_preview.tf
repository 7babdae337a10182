resource "svc_table" "album" {
  table = { name = "album" }
}

resource "svc_select_permission" "album_editor" {
  table   = svc_table.album.table
  role    = "editor"
  columns = ["id", "title"]
  filter  = jsonencode({})
}

# A data source that names resources itself is read in the apply: a local value stands between.
locals {
  planned = [svc_select_permission.album_editor.id]
}

data "svc_preview" "api" {
  after = local.planned
}

# Fails the plan where clients use what it breaks.
output "breaking" {
  value = data.svc_preview.api.breaking

  precondition {
    condition     = data.svc_preview.api.breaking_used == 0 && data.svc_preview.api.broken_operations == 0
    error_message = data.svc_preview.api.text
  }
}
