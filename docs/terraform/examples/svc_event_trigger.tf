resource "svc_table" "invoice" {
  table = { name = "invoice" }
}

# Every new invoice, and every one whose total changes, by any client.
resource "svc_event_trigger" "on_invoice" {
  table   = svc_table.invoice.table
  name    = "on_invoice"
  webhook = "https://shop.example.com/invoices"

  insert = { all_columns = true }
  update = {
    columns = ["total"]
    payload = ["id", "total"]
  }

  headers = [
    { name = "x-from", value = "the store" },
  ]

  retry_conf = { num_retries = 3 }

  request_transform = {
    query_params = { operation = "{{$body.event.op}}" }
    body         = { template = "{{$body.event.data}}" }
  }

  # Every night what was delivered more than a week ago.
  cleanup_config = {
    schedule         = "0 3 * * *"
    clear_older_than = 168
  }
}
