/** A table → how SQL names it and asks for it. */

export type TableName = { readonly schema: string; readonly name: string }

/** `"orders"`, and with its schema where that is not the usual one. */
export function tableName({ schema, name }: TableName): string {
  return (schema === 'main' ? [name] : [schema, name]).map(quoted).join('.')
}

export function firstRowsOf(table: TableName): string {
  return `select * from ${tableName(table)} limit 100`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
