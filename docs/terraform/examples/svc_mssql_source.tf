# "Server=tcp:db,1433;Database=shop;Uid=app;Pwd={…};Encrypt=yes"
variable "mssql_connection" {
  type      = string
  sensitive = true
  ephemeral = true
}

# The connection string is stored in no state and no plan. It is sent again when its version changes.
resource "svc_mssql_source" "shop" {
  name                         = "shop"
  connection_string_wo         = var.mssql_connection
  connection_string_wo_version = 1
  isolation_level              = "snapshot"

  pool_settings = {
    max_connections = 20
  }
}

# In the schema dbo. That the source is SQL Server is known from the source itself.
resource "svc_table" "shop_album" {
  source = svc_mssql_source.shop.name
  table  = { name = "album" }
}
