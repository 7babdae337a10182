import converted from './examples.json' with { type: 'json' }

/** The example of a resource, a function or the provider in each language. */
export type Example = Readonly<Record<ExampleLanguage, string>>

/** In the order in which they are shown. */
const exampleLanguages = ['typescript', 'python', 'go', 'yaml'] as const
type ExampleLanguage = (typeof exampleLanguages)[number]

/** By kind, by the name of a function, and of `provider`. */
export type Examples = Readonly<Record<string, Example>>

/** docs/pulumi/examples, converted by `npm run sdk`. */
export const examples: Examples = converted

/** A section that Pulumi's generators and its registry split: each shows the part of its language. */
export function exampleSection(example: Example | undefined): readonly string[] {
  if (!example) return []
  const blocks = exampleLanguages.map((language) => `\`\`\`${language}\n${example[language].trimEnd()}\n\`\`\``)
  return ['{{% examples %}}', '## Example Usage', '{{% example %}}', ...blocks, '{{% /example %}}', '{{% /examples %}}']
}
