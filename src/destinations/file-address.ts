/** Addresses of destinations that are a file or a folder of this machine: `duckdb:shop.duckdb`, `jsonl:rows`. */

const isFolder = { duckdb: false, parquet: true, jsonl: true }

export type FileKind = keyof typeof isFolder

export type FileAddress = { readonly kind: FileKind; readonly path: string }

/** Null for databases, and for what is no address. The path may be empty. */
export function parseFileAddress(address: string): FileAddress | null {
  const [, kind = '', path = ''] = /^([a-z]+):(.*)$/s.exec(address) ?? []
  return Object.hasOwn(isFolder, kind) ? { kind: kind as FileKind, path } : null
}

/** A folder has no schemas. */
export function isFolderAddress(address: string): boolean {
  const file = parseFileAddress(address)
  return file !== null && isFolder[file.kind]
}

/** The address with its path changed; one without a path as it is. */
export function withPath(address: string, change: (path: string) => string): string {
  const file = parseFileAddress(address)
  return file === null || file.path === '' ? address : `${file.kind}:${change(file.path)}`
}
