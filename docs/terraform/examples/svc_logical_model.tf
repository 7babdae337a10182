resource "svc_logical_model" "best_seller" {
  name        = "best_seller"
  description = "An album and how often its tracks were sold"

  fields = [
    { name = "album_id", scalar = "integer" },
    { name = "sold", scalar = "bigint" },
    { name = "genres", scalar = "text", array = true, nullable = true },
  ]
}
