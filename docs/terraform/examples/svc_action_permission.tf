resource "svc_table" "customer" {
  table = { name = "customer" }
}

resource "svc_custom_type" "item" {
  name = "Item"
  input_fields = [
    { name = "track_id", type = "Int!" },
    { name = "count", type = "Int" },
  ]
}

# In addition to what the service answers, the row of the customer.
resource "svc_custom_type" "order" {
  name = "Order"
  fields = [
    { name = "number", type = "Int!" },
    { name = "customer_id", type = "Int!" },
  ]
  relationships = [
    {
      name          = "customer"
      type          = "object"
      remote_table  = svc_table.customer.table
      field_mapping = { customer_id = "id" }
    },
  ]
}

# mutation { place_order(items: [{ track_id: 1 }]) { number customer { email } } }
resource "svc_action" "place_order" {
  name        = "place_order"
  handler     = "https://shop.example.com/orders"
  output_type = svc_custom_type.order.name
  arguments = [
    { name = "items", type = "[${svc_custom_type.item.name}!]!" },
  ]

  headers = [
    { name = "x-from", value = "the store" },
  ]

  timeout = 10
}

resource "svc_action_permission" "place_order_buyer" {
  action = svc_action.place_order.name
  role   = "buyer"
}
