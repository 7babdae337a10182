resource "svc_mssql_source" "erp" {
  name                       = "erp"
  connection_string_from_env = "ERP_CONNECTION"
}

resource "svc_logical_model" "top_album" {
  source = svc_mssql_source.erp.name
  name   = "top_album"

  fields = [
    { name = "id", scalar = "int" },
    { name = "title", scalar = "nvarchar" },
  ]
}

resource "svc_stored_procedure" "top_albums" {
  source           = svc_mssql_source.erp.name
  stored_procedure = { name = "top_albums" }
  returns          = svc_logical_model.top_album.name

  arguments = {
    how_many = { type = "int" }
  }
}
