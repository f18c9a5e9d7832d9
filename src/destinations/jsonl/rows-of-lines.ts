/**
 * A file of lines → SQL for its rows, in the columns that a table in DuckDB would have. DuckDB itself would make doubles
 * of long numbers and times without their zone of strings.
 */
import { parseJson } from '../../std/json.ts'
import { isObject } from '../../std/values/objects.ts'
import { filesAs } from '../duckdb/query.ts'
import { type DuckSession, literal, quoted } from '../duckdb/session.ts'

export async function rowsOfLines(session: DuckSession, path: string): Promise<string> {
  const lines = filesAs('read_ndjson_objects', path)
  // A file that cannot be read so, or has names that DuckDB takes for one: the query says what is wrong.
  const found = await columnsIn(session, lines).catch(() => null)
  if (found === null) return filesAs('read_json', path, `, ${options}, sample_size = -1`)
  const exact = found.filter(({ isExact }) => isExact)
  if (exact.length === 0) {
    const types = found.map(({ name, type }) => `${quoted(name)}: '${type}'`)
    return filesAs('read_json', path, `, ${options}, columns = {${types.join(', ')}}`)
  }
  const values = found.map(({ name, isExact }) => `${isExact ? 'exact' : 'plain'}.${quoted(name)} AS ${quoted(name)}`)
  const others = found.filter(({ isExact }) => !isExact)
  return `(SELECT ${values.join(', ')} FROM
    (SELECT ${fieldsOf('json', others)} AS plain, ${fieldsOf(quotedNumbers, exact)} AS exact FROM ${lines}))`
}

const options = `format = 'newline_delimited'`

type LineColumn = {
  readonly name: string
  readonly type: string
  /** Has numbers that only text holds: they are read from the line itself. */
  readonly isExact: boolean
}

/** Null where there are none, or two names are one to DuckDB. */
async function columnsIn(session: DuckSession, lines: string): Promise<readonly LineColumn[] | null> {
  const [row] = await session.rows(
    `SELECT json_group_structure(json) AS fields, bool_or(regexp_matches(json, '":${longNumber}')) AS has_long FROM ${lines}`,
  )
  const fields = typeof row?.fields === 'string' ? parseJson(row.fields).value : null
  if (!isObject(fields)) return null
  const names = Object.keys(fields)
  if (names.includes('') || new Set(names.map((name) => name.toLowerCase())).size < names.length) return null
  const nested = await nestedOf(
    session,
    lines,
    names.filter((name) => fields[name] === 'JSON'),
  )
  const found = Object.fromEntries(names.map((name) => [name, nested.has(name) ? {} : fields[name]]))
  const columns = names.map((name) => ({ name, type: typeOf(name, found[name]), isExact: false }))
  return row?.has_long === true ? await withLongNumbers(session, lines, columns, found) : columns
}

/** Of fields with values of several types, or empty objects, those that have objects and lists alone. */
async function nestedOf(session: DuckSession, lines: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const checks = names.map((name, index) => {
    const pointer = literal(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    return `bool_and(coalesce(json_type(json, ${pointer}), 'NULL') IN ('OBJECT', 'ARRAY', 'NULL')) AS nested${index}`
  })
  const [row = {}] = await session.rows(`SELECT ${checks.join(', ')} FROM ${lines}`)
  return new Set(names.filter((_, index) => row[`nested${index}`] === true))
}

const sourceTypes: ReadonlyMap<string, string> = new Map([
  ['_turnleaf_extracted_at', 'TIMESTAMPTZ'],
  ['_turnleaf_run', 'VARCHAR'],
  ['_turnleaf_slice', 'VARCHAR'],
  ['_turnleaf_page', 'INTEGER'],
])

/** Whole numbers of both signs are `HUGEINT`, however short. */
const types: Readonly<Record<string, string>> = {
  BOOLEAN: 'BOOLEAN',
  BIGINT: 'BIGINT',
  UBIGINT: 'BIGINT',
  HUGEINT: 'BIGINT',
  DOUBLE: 'DOUBLE',
}

/** Text also where a field has values of several types, or none. */
function typeOf(name: string, found: unknown): string {
  return sourceTypes.get(name) ?? (typeof found === 'string' ? (types[found] ?? 'VARCHAR') : 'JSON')
}

/** At least as many digits as a double may lose one of. */
const longNumber = '-?[0-9.]{16,}'

/**
 * A line with its long numbers as strings. A quote before a colon ends a name, unless it begins a string: then it follows
 * one of these characters. Names that end in one are left out.
 */
const quotedNumbers = `regexp_replace(json, '([^\\\\:,\\[{\\s]":)(${longNumber}(?:[eE][-+]?[0-9]+)?)([,}])', '\\1"\\2"\\3', 'g')`

async function withLongNumbers(
  session: DuckSession,
  lines: string,
  columns: readonly LineColumn[],
  fields: Readonly<Record<string, unknown>>,
): Promise<readonly LineColumn[]> {
  const numbers = columns.filter(({ name }) => isNumber(fields[name]) && !sourceTypes.has(name))
  const texts = numbers.map(({ name }) => ({ name, type: 'VARCHAR' }))
  const checks = texts.flatMap(({ name }, index) => {
    const text = `line.${quoted(name)}`
    return [`bool_and(${isWhole(text)}) AS whole${index}`, `bool_and(${isDouble(text)}) AS double${index}`]
  })
  const read = `SELECT ${fieldsOf(quotedNumbers, texts)} AS line FROM ${lines}`
  const [row = {}] = checks.length === 0 ? [] : await session.rows(`SELECT ${checks.join(', ')} FROM (${read})`)
  return columns.map((column) => {
    const index = numbers.indexOf(column)
    if (index === -1) return { ...column, isExact: fields[column.name] === 'JSON' }
    if (row[`whole${index}`] === true) return { ...column, type: 'BIGINT' }
    if (row[`double${index}`] === true) return { ...column, type: 'DOUBLE' }
    return { ...column, type: 'VARCHAR', isExact: true }
  })
}

function isNumber(found: unknown): boolean {
  return found === 'BIGINT' || found === 'UBIGINT' || found === 'HUGEINT' || found === 'DOUBLE'
}

function isWhole(text: string): string {
  return `(${text} IS NULL OR (${hasNoFraction(text)} AND TRY_CAST(${text} AS BIGINT) IS NOT NULL))`
}

/** Whether a double has the same digits; of whole numbers only those of 64 bits. */
function isDouble(text: string): string {
  const digits = (sql: string) => `trim(replace(regexp_replace(${sql}, '[eE].*$', ''), '.', ''), '-0')`
  const same = `${digits(text)} = ${digits(`CAST(TRY_CAST(${text} AS DOUBLE) AS VARCHAR)`)}`
  return `(${text} IS NULL OR coalesce(${same} AND (NOT ${hasNoFraction(text)} OR ${isWhole(text)}), false))`
}

function hasNoFraction(text: string): string {
  return `regexp_full_match(${text}, '-?[0-9]+')`
}

/** SQL for the fields of a line, as a struct. */
function fieldsOf(line: string, columns: readonly Pick<LineColumn, 'name' | 'type'>[]): string {
  const structure = Object.fromEntries(columns.map(({ name, type }) => [name, type]))
  return `json_transform(${line}, ${literal(JSON.stringify(structure))})`
}
