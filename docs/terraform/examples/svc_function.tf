resource "svc_table" "album" {
  table = { name = "album" }
}

# CREATE FUNCTION search_albums(word text) RETURNS SETOF album STABLE …
resource "svc_function" "search_albums" {
  function   = { name = "search_albums" }
  comment    = "Albums with a word in their title"
  depends_on = [svc_table.album]

  custom_root_fields = {
    function_aggregate = "count_albums"
  }
}
