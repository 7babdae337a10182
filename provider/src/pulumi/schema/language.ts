/** What the SDKs are called in each language, and what they need there. */
export const language = {
  nodejs: {
    packageName: '@svc/pulumi',
    packageDescription: 'The metadata of a GraphQL engine as Pulumi resources',
    respectSchemaVersion: true,
    typescriptVersion: '^5.0.0',
    dependencies: { '@pulumi/pulumi': '^3.142.0' },
  },
  python: {
    packageName: 'pulumi_svc',
    respectSchemaVersion: true,
    pyproject: { enabled: true },
    requires: { pulumi: '>=3.142.0,<4.0.0' },
  },
  go: {
    importBasePath: 'svc.invalid/sdk/go/svc',
    respectSchemaVersion: true,
    generateResourceContainerTypes: true,
  },
}
