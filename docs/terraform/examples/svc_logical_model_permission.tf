resource "svc_logical_model" "best_seller" {
  name = "best_seller"

  fields = [
    { name = "album_id", scalar = "integer" },
    { name = "sold", scalar = "bigint" },
  ]
}

resource "svc_logical_model_permission" "best_seller_listener" {
  logical_model = svc_logical_model.best_seller.name
  role          = "listener"
  columns       = ["album_id"]
  filter        = jsonencode({ sold = { _gt = 1 } })
}
