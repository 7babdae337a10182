terraform {
  required_providers {
    svc = {
      source  = "svc/svc"
      version = "0.2.0"
    }
  }
}

provider "svc" {
  endpoint = "http://localhost:8080"
  # The admin secret is best given in the environment, as SVC_GRAPHQL_ADMIN_SECRET.
  preview_checks = "error"
}
