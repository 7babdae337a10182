resource "svc_table" "album" {
  table = { name = "album" }
}

resource "svc_query_collection" "albums" {
  name = "albums"
  queries = [
    {
      name  = "by_id"
      query = <<-EOT
        query by_id($id: Int!) {
          album_by_pk(id: $id) { title }
        }
      EOT
    },
  ]

  # What the queries read is named in their text only: Terraform needs `depends_on` to make it first.
  depends_on = [svc_table.album]
}

# While the allow-list is enabled, listeners may send these queries and no others.
resource "svc_allowlist_entry" "albums" {
  collection = svc_query_collection.albums.name
  roles      = ["listener"]
}
