# The collector has a certificate of its own making.
resource "svc_tls_allowlist_entry" "collector" {
  host        = "collector.internal"
  suffix      = "4318"
  permissions = ["self-signed"]
}
