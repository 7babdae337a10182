# All custom types of the engine: what is not here is removed.
resource "svc_custom_types" "all" {
  input_objects = [
    {
      name = "Item"
      fields = [
        { name = "track_id", type = "Int!" },
        { name = "shipping", type = "Shipping" },
      ]
    },
  ]

  objects = [
    {
      name = "Order"
      fields = [
        { name = "number", type = "Int!" },
        { name = "parts", type = "[Order!]", description = "What is sent apart" },
      ]
    },
  ]

  enums = [
    {
      name   = "Shipping"
      values = [{ value = "SLOW" }, { value = "FAST" }]
    },
  ]
}

resource "svc_action" "place_order" {
  name        = "place_order"
  handler     = "https://shop.example.com/orders"
  output_type = "Order"
  arguments   = [{ name = "items", type = "[Item!]!" }]

  # Which resource has the types is not in their names: Terraform needs `depends_on`.
  depends_on = [svc_custom_types.all]
}
