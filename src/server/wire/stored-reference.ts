/** `${stored:shop/sandbox/api_key}`: what a page has in place of a stored secret. Only the server knows the value. */
export type StoredReference = {
  readonly connector: string
  readonly config: string
  /** Where the value is in the config. */
  readonly path: readonly string[]
}

export function writeStoredReference({ connector, config, path }: StoredReference): string {
  return `\${stored:${[connector, config, ...path].map(encodeURIComponent).join('/')}}`
}

/** Null for every other text. */
export function parseStoredReference(text: unknown): StoredReference | null {
  const [, inner] = (typeof text === 'string' ? /^\$\{stored:([^{}]+)\}$/.exec(text) : null) ?? []
  try {
    const [connector, config, ...path] = inner?.split('/').map(decodeURIComponent) ?? []
    return connector === undefined || config === undefined || path.length === 0 ? null : { connector, config, path }
  } catch {
    return null
  }
}
