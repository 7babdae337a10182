# __generated__ by Terraform
# Please review these resources and move them into your main configuration files.

# __generated__ by Terraform from "custom_types"
resource "svc_custom_types" "all" {
  enums = null
  input_objects = [
    {
      description = null
      fields = [
        {
          description = null
          name        = "sku"
          type        = "String!"
        },
      ]
      name = "Item"
    },
  ]
  objects = [
    {
      description = "What was paid"
      fields = [
        {
          description = "Of the receipt"
          name        = "number"
          type        = "Int!"
        },
        {
          description = null
          name        = "artist_id"
          type        = "Int!"
        },
      ]
      name = "Receipt"
      relationships = [
        {
          field_mapping = {
            artist_id = "id"
          }
          name = "artist"
          remote_table = {
            name   = "artist"
            schema = "public"
          }
          source = "main"
          type   = "object"
        },
      ]
    },
    {
      description = null
      fields = [
        {
          description = null
          name        = "artist_id"
          type        = "Int!"
        },
        {
          description = null
          name        = "receipts"
          type        = "[Receipt!]"
        },
      ]
      name = "Parcel"
      relationships = [
        {
          field_mapping = {
            artist_id = "artist_id"
          }
          name = "sold"
          remote_table = {
            name   = "album"
            schema = "shop"
          }
          source = "main"
          type   = "array"
        },
      ]
    },
  ]
  scalars  = null
  timeouts = null
}
