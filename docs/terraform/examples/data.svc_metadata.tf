data "svc_metadata" "all" {}

output "resource_version" {
  value = data.svc_metadata.all.resource_version
}
