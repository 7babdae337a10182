data "svc_objects" "tables" {
  kind   = "table"
  source = "default"
}

output "names_of_tables" {
  value = [for object in data.svc_objects.tables.objects : jsondecode(object.attributes).table.name]
}
