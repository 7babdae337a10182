data "svc_metadata_changes" "since" {
  since_resource_version = 1
}

output "who_changed_what" {
  value = [
    for change in data.svc_metadata_changes.since.changes : "${change.at} ${jsondecode(change.by).actor}: ${change.change} ${change.name}"
  ]
}
