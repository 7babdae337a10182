resource "svc_table" "album" {
  table = { name = "album" }
}

data "svc_unmanaged_objects" "others" {
  managed = {
    table = [svc_table.album.id]
  }
}

output "unmanaged" {
  value = [for object in data.svc_unmanaged_objects.others.objects : object.name]
}
