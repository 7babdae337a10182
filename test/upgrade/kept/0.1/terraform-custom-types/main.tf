terraform {
  required_providers {
    svc = { source = "svc/svc", version = "0.1.0" }
  }
}
