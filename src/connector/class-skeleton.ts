/** The type of a custom component + the name of its class → a class that works as it is, to be changed. */
import { ConnectorError } from '../std/errors.ts'

type Skeleton = {
  /** From `turnleaf`: the base class first, then types. */
  readonly imports: readonly string[]
  /** The lines of the class. */
  readonly body: string
}

/** Each reads what comes without changing it, or does the most common thing; a comment says what to change. */
const skeletons: Readonly<Record<string, Skeleton>> = {
  CustomPaginationStrategy: {
    imports: ['PaginationStrategy', 'type PageContext'],
    body: `  /** The token of the next page; nothing ends the stream. Here: how many records were read so far, as an offset. */
  override nextPageToken({ token, lastPageSize }: PageContext) {
    const isShort = this.pageSize !== null && lastPageSize < this.pageSize
    return lastPageSize === 0 || isShort ? null : Number(token ?? 0) + lastPageSize
  }`,
  },
  CustomRecordExtractor: {
    imports: ['RecordExtractor', 'type JsonRecord'],
    body: `  /** The records of one response. Here: the list that the body is, or the first list in it. */
  override extract(body: unknown): JsonRecord[] {
    const found = Array.isArray(body) ? body : Object.values(Object(body)).find(Array.isArray)
    return (found ?? []) as JsonRecord[]
  }`,
  },
  CustomRecordFilter: {
    imports: ['RecordFilter', 'type JsonRecord'],
    body: `  /** Whether this record is read. Here: every one that has a field. */
  override keeps(record: JsonRecord): boolean {
    return Object.keys(record).length > 0
  }`,
  },
  CustomTransformation: {
    imports: ['RecordTransformation', 'type JsonRecord'],
    body: `  /** The record as it is written to the destination. */
  override transform(record: JsonRecord): JsonRecord {
    return { ...record }
  }`,
  },
  CustomSchemaNormalization: {
    imports: ['SchemaNormalization', 'type JsonSchema'],
    body: `  /** A value as the schema wants it. \`super\` casts numbers, booleans and strings. */
  override normalizeValue(value: unknown, schema: JsonSchema): unknown {
    return super.normalizeValue(value, schema)
  }`,
  },
  CustomSchemaLoader: {
    imports: ['SchemaLoader', 'type JsonSchema'],
    body: `  /** The schema of the stream. Here: any field. */
  override jsonSchema(): JsonSchema {
    return { type: 'object', additionalProperties: true, properties: {} }
  }`,
  },
  CustomDecoder: {
    imports: ['Decoder', 'type DecoderContext'],
    body: `  /** A response → values, each of which is a body to the record selector. Here: the response as JSON. */
  override *decode({ text }: DecoderContext) {
    yield JSON.parse(text()) as unknown
  }`,
  },
  CustomAuthenticator: {
    imports: ['Authenticator'],
    body: `  /** What a request needs in addition. Here: the input \`api_key\` as a bearer token, where there is one. */
  override authenticate(): { headers: Record<string, string> } {
    const key = this.config['api_key']
    return { headers: key === undefined ? {} : { Authorization: \`Bearer \${String(key)}\` } }
  }`,
  },
  CustomRequester: {
    imports: ['Requester', 'type RequestContext'],
    body: `  /** The query of each request, from that of the manifest. \`path\`, \`headers\` and \`body\` can be changed, too. */
  override query(_context: RequestContext, query: Readonly<Record<string, unknown>>) {
    return { ...query }
  }`,
  },
  CustomErrorHandler: {
    imports: ['ErrorHandler', 'type ErrorContext', 'type Interpretation'],
    body: `  /** What a response means; null leaves it to the manifest and the status. Here: 202 is "not ready yet". */
  override interpret({ response }: ErrorContext): Interpretation | null {
    return response?.status === 202 ? { action: 'retry', message: 'The API is not ready yet.', waitSeconds: 5 } : null
  }`,
  },
  CustomBackoffStrategy: {
    imports: ['BackoffStrategy', 'type BackoffContext'],
    body: `  /** Seconds until the next try: 1, 2, 4, … */
  override waitSeconds({ attempt }: BackoffContext): number {
    return 2 ** attempt
  }`,
  },
  CustomPartitionRouter: {
    imports: ['PartitionRouter', 'type RouterParent'],
    body: `  /** The parts that the stream is read in. Here: one for each record of its parents, or one for the whole stream. */
  override async *partitions(parents: readonly RouterParent[]) {
    if (parents.length === 0) yield { partition: { part: 'all' } }
    for (const parent of parents) yield* parent.partitions()
  }`,
  },
  CustomStateMigration: {
    imports: ['StateMigration', 'type StreamState'],
    body: `  /** Whether this state was written by an older version of the connector. */
  override shouldMigrate(state: StreamState): boolean {
    return 'old_cursor' in state
  }

  override migrate({ old_cursor, ...others }: StreamState): StreamState {
    return { ...others, cursor: old_cursor }
  }`,
  },
  CustomConfigTransformation: {
    imports: ['ConfigTransformation', 'type Config'],
    body: `  /** The inputs as the rest of the manifest sees them. */
  override transform(config: Config): Config {
    return { ...config }
  }`,
  },
  CustomValidationStrategy: {
    imports: ['ValidationStrategy'],
    body: `  /** Throws an error that says what is wrong with the value. */
  override validate(value: unknown): void {
    if (value === '') throw new Error('It is empty.')
  }`,
  },
  CustomRetriever: {
    imports: ['Retriever', 'type JsonRecord', 'type RetrieverContext'],
    body: `  /** The pages of one slice. Here: one page, the list that the response is, or the first list in it. */
  override async *readSlice({ fetchJson }: RetrieverContext) {
    const { body } = await fetchJson()
    const found = Array.isArray(body) ? body : Object.values(Object(body)).find(Array.isArray)
    yield (found ?? []) as JsonRecord[]
  }`,
  },
}

/** The types that a class can be created for. */
export const skeletonTypes: readonly string[] = Object.keys(skeletons)

/**
 * @param file the text of the file that gets the class; null for a new one.
 */
export function withSkeleton(file: string | null, type: string, exportName: string): string {
  const skeleton = Object.hasOwn(skeletons, type) ? skeletons[type] : undefined
  if (skeleton === undefined)
    throw new ConnectorError('server/invalid-request', `${type} names no class of a connector.`)
  const [base = ''] = skeleton.imports
  const written = `export class ${exportName} extends ${base} {\n${skeleton.body}\n}\n`
  const before = withImports(file ?? '', skeleton.imports)
  return `${before.trimEnd()}\n\n${written}`
}

const ownImport = /^import \{([^}]*)\} from ['"]turnleaf['"];?$/m

/** A name that is imported twice is an error: what the file imports already is extended. */
function withImports(text: string, names: readonly string[]): string {
  const found = ownImport.exec(text)
  if (found === null) return `${importLine(names)}\n${text === '' ? '' : `${text.startsWith('\n') ? '' : '\n'}${text}`}`
  const before = (found[1] ?? '').split(',').flatMap((name) => name.trim() || [])
  const bare = (name: string) => name.replace(/^type /, '')
  const added = names.filter((name) => !before.some((one) => bare(one) === bare(name)))
  return text.replace(ownImport, () => importLine([...before, ...added]))
}

function importLine(names: readonly string[]): string {
  const sorted = names.toSorted((one, other) => one.replace(/^type /, '').localeCompare(other.replace(/^type /, '')))
  return `import { ${sorted.join(', ')} } from 'turnleaf'`
}
