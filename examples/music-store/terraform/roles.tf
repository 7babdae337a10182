# Employees buy, too: their own purchases and those of whom they look after.
resource "svc_inherited_role" "buying_employee" {
  role_name = "buying_employee"
  role_set  = [svc_select_permission.customer_themselves.role, svc_select_permission.employee_employee.role]
}
