//go:build tools

// Package tools pins the Pulumi command line; `go install path@version` refuses it for its replace directives.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
