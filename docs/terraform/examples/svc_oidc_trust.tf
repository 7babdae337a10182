resource "svc_oidc_trust" "ci_plan" {
  name      = "ci-plan"
  issuer    = "https://token.actions.githubusercontent.com"
  audiences = ["svc"]
  claims = {
    repository = ["acme/shop"]
    ref        = ["refs/heads/main", "refs/heads/release/*"]
  }
  scopes = [{ allow = "plan" }]
}
