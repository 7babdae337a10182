//go:build tools

// Package tools pins the emulator that the tests of BigQuery sources run against.
package tools

import _ "github.com/goccy/bigquery-emulator/cmd/bigquery-emulator"
