// convert-examples SCHEMA FILE.yaml… prints the programs in YAML as Pulumi's own converter writes them in other
// languages: {"FILE.yaml": {"typescript": …, "python": …, "go": …}}. Comments above a resource or a variable stay there.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// loader knows the one package of the schema.
type loader struct{ bound *schema.Package }

func (l loader) LoadPackage(string, *semver.Version) (*schema.Package, error) { return l.bound, nil }

func (l loader) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return l.bound, nil
}

func (l loader) LoadPackageReference(string, *semver.Version) (schema.PackageReference, error) {
	return l.bound.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(
	_ context.Context, descriptor *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	if descriptor.Name != l.bound.Name {
		return nil, fmt.Errorf("there is no package %s, only %s", descriptor.Name, l.bound.Name)
	}
	return l.bound.Reference(), nil
}

func load(path string) (loader, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return loader{}, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return loader{}, err
	}
	languages := map[string]schema.Language{"nodejs": nodejs.Importer, "python": python.Importer, "go": gogen.Importer}
	bound, err := schema.ImportSpec(spec, languages, schema.ValidationOptions{})
	return loader{bound}, err
}

var declared = regexp.MustCompile(`^  (\w+):`)
var block = regexp.MustCompile(`(?m)^(?:resource (\w+) |(\w+) = )`)

// commentsOf gives what stands above each entry of the sections of a program, by the name of the entry.
func commentsOf(program string) map[string]string {
	found, above := map[string]string{}, ""
	for lines := bufio.NewScanner(strings.NewReader(program)); lines.Scan(); {
		line := lines.Text()
		if text, ok := strings.CutPrefix(line, "  # "); ok {
			above += "// " + text + "\n"
			continue
		}
		if match := declared.FindStringSubmatch(line); match != nil && above != "" {
			found[match[1]] = above
		}
		above = ""
	}
	return found
}

func bind(file string, packages loader) (*pcl.Program, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	template, found, err := pulumiyaml.LoadYAMLBytes(file, text)
	if err != nil {
		return nil, err
	}
	if found.HasErrors() {
		return nil, found
	}
	intermediate, diagnostics, err := codegen.ConvertTemplateIL(template, packages)
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	comments := commentsOf(string(text))
	intermediate = block.ReplaceAllStringFunc(intermediate, func(head string) string {
		match := block.FindStringSubmatch(head)
		return comments[match[1]+match[2]] + head
	})
	parser := syntax.NewParser()
	if err := parser.ParseFile(strings.NewReader(intermediate), "program.pp"); err != nil {
		return nil, err
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, pcl.Loader(packages))
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	return program, nil
}

type generate = func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

var generators = map[string]generate{
	"typescript": nodejs.GenerateProgram, "python": python.GenerateProgram, "go": gogen.GenerateProgram,
}

// The generator for Go exports what a function answers at once as it is, which does not compile.
var plainExport = regexp.MustCompile(`(ctx\.Export\("\w+", )(\w+\.\w+)\)`)
var plainAnswer = regexp.MustCompile(`(?m)^\t\t(\w+), err := \w+\.(?:Get|Lookup)`)

// The generator for Go calls a function that it names LookupTable with arguments of the type GetTableArgs, which the SDK
// has as LookupTableArgs.
var lookup = regexp.MustCompile(`(\.Lookup\w+\(ctx, &\w+\.)Get`)

func exportOutputs(text string) string {
	plain := map[string]bool{}
	for _, match := range plainAnswer.FindAllStringSubmatch(text, -1) {
		plain[match[1]] = true
	}
	return plainExport.ReplaceAllStringFunc(text, func(export string) string {
		match := plainExport.FindStringSubmatch(export)
		if name, _, _ := strings.Cut(match[2], "."); !plain[name] {
			return export
		}
		return match[1] + "pulumi.ToOutput(" + match[2] + "))"
	})
}

func convert(file string, packages loader) (map[string]string, error) {
	texts := map[string]string{}
	for language, generate := range generators {
		// bound for each, since generators change what they are given
		program, err := bind(file, packages)
		if err != nil {
			return nil, err
		}
		files, diagnostics, err := generate(program)
		if err != nil {
			return nil, err
		}
		if len(diagnostics) > 0 {
			return nil, diagnostics
		}
		for text := range maps.Values(files) {
			texts[language] += string(text)
		}
	}
	texts["go"] = lookup.ReplaceAllString(exportOutputs(texts["go"]), "${1}Lookup")
	return texts, nil
}

func run(schemaFile string, files []string) error {
	packages, err := load(schemaFile)
	if err != nil {
		return err
	}
	converted := map[string]map[string]string{}
	for _, file := range files {
		if converted[file], err = convert(file, packages); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(converted)
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: convert-examples SCHEMA FILE.yaml…")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
