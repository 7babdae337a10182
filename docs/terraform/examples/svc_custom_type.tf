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
