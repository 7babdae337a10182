import { type Attributes, attributesOf } from '../resources/index.ts'

/** What can be configured only in Pulumi, in addition to the configuration that every tool has. */
export const providerOptions: Attributes = attributesOf({
  refresh_before_update: {
    type: 'boolean',
    description:
      'Whether every preview and update compares with the live engine first, as `--refresh` does for all providers of a stack. Or `SVC_GRAPHQL_REFRESH_BEFORE_UPDATE`.',
    default: false,
  },
})
