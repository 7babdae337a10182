//go:build tools

// Package tools pins the language host for YAML.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
