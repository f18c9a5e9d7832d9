/** The schema of a stream of which nothing is known yet: any field may come. */
export const openSchema = {
  type: 'InlineSchemaLoader',
  schema: {
    type: 'object',
    $schema: 'http://json-schema.org/draft-07/schema#',
    additionalProperties: true,
    properties: {},
  },
} as const
