variable "ci_token" {
  type      = string
  ephemeral = true
}

resource "svc_access_token" "ci_apply" {
  name = "ci-apply"
  scopes = [
    { allow = "change", sources = ["default"], roles = ["customer"] },
    { allow = "events" },
  ]
  value_wo         = "svct_${var.ci_token}"
  value_wo_version = 1
}
