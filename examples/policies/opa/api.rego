# A change of metadata is refused where it breaks what clients use:
#
#   svc plan --preview --format json > preview.json
#   opa eval --fail-defined --format pretty --input preview.json --data api.rego 'data.svc.api.deny[_]'
#
# of Terraform's or Pulumi's plan with svc plan --of UUID. docs/reference/preview.schema.json says what the input is.
package svc.api

deny contains message if {
	some role in input.roles
	some schema in [role.schema, object.get(role, "backend", {"changes": []})]
	some change in schema.changes
	change.severity == "breaking"
	some use in change.used
	message := sprintf("role %s: %s It was used by %s %d times.", [role.role, change.description, name(use), use.count])
}

# operations of collections, which REST endpoints and the allow-list run
deny contains message if {
	some operation in input.operations
	message := sprintf("role %s: %s no longer runs: %s", [operation.role, operation.query, concat("; ", operation.reasons)])
}

# a role without login reads no more rows than before
deny contains message if {
	some role in input.roles
	role.role in {"anonymous", "public"}
	some row in role.rows
	row.permission == "select"
	row.change in {"granted", "wider", "changed"}
	message := sprintf("role %s: %s of %s.%s is %s", [role.role, row.part, row.table.schema, row.table.name, row.change])
}

name(use) := use.operation if use.operation != null

name(use) := "an operation without a name" if use.operation == null
