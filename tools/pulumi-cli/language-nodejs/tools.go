//go:build tools

// Package tools pins the language hosts for Node and Python. From sdk 3.69 on it is a module of its own that the proxy does not
// serve, so this is the last one inside the SDK; it speaks to CLI 3.259.0.
package tools

import (
	_ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
	_ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
)
