// generate-sdk SCHEMA [LANGUAGE FOLDER]… binds a schema.json, failing on any diagnostic, and writes the SDKs that
// Pulumi's own generators make of it (nodejs, python, go) into the folders.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// bind reads the schema afresh for each language, since the generators change what they are given.
func bind(path string) (*schema.Package, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	bound, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	languages := map[string]schema.Language{"nodejs": nodejs.Importer, "python": python.Importer, "go": gogen.Importer}
	return bound, bound.ImportLanguages(languages)
}

// What the files say that they were made by.
const tool = "npm run sdk"

func generate(language string, bound *schema.Package) (map[string][]byte, error) {
	// it would load the packages that ours depends on, and there are none
	var loader schema.ReferenceLoader
	switch language {
	case "nodejs":
		return nodejs.GeneratePackage(tool, bound, nil, nil, false, loader)
	case "python":
		return python.GeneratePackage(tool, bound, nil, loader)
	case "go":
		return gogen.GeneratePackage(tool, bound, nil)
	}
	return nil, fmt.Errorf("no SDK is made for %q", language)
}

func write(folder string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func run(schemaFile string, targets []string) error {
	if _, err := bind(schemaFile); err != nil {
		return err
	}
	for ; len(targets) > 1; targets = targets[2:] {
		bound, err := bind(schemaFile)
		if err != nil {
			return err
		}
		files, err := generate(targets[0], bound)
		if err != nil {
			return err
		}
		if err := write(targets[1], files); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if len(os.Args)%2 != 0 {
		fmt.Fprintln(os.Stderr, "usage: generate-sdk SCHEMA [LANGUAGE FOLDER]…")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
