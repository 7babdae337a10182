//go:build tools

// Package tools pins the language host for Go: the last one to be had, since the proxy does not serve the module that it
// has been since; it speaks to CLI 3.259.0.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go"
