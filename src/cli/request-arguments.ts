/** The URL, headers and body on a command line → the request, and the variables its secrets came from. */
import { readFile } from 'node:fs/promises'
import { reasonOf } from '../connector/open-connector.ts'
import type { DetectionRequest } from '../proof/detection/detection.ts'
import { ConnectorError } from '../std/errors.ts'
import { parseJson } from '../std/json.ts'
import { isUrl } from '../std/text/is-url.ts'
import { readStdin } from './files.ts'
import { fillVariables, type UsedVariables } from './fill-variables.ts'

export type RequestArguments = {
  readonly method?: 'GET' | 'POST'
  readonly header?: readonly string[]
  readonly data?: string
  readonly form?: readonly string[]
}

export async function requestFrom(
  written: string,
  given: RequestArguments,
  variables: UsedVariables = new Map(),
): Promise<DetectionRequest> {
  const url = fillVariables(written, 'The URL', variables)
  if (!/^https?:\/\//i.test(url) || !isUrl(url)) {
    throw wrong('The URL is not a complete http or https address.', 'Write it as https://api.example.com/v1/orders.')
  }
  const { method, header = [], data, form = [] } = given
  if (data !== undefined && form.length > 0)
    throw wrong('A request has either --data or --form, not both.', 'Remove one of them.')
  if (method === 'GET' && (data !== undefined || form.length > 0)) {
    throw wrong('A GET request has no body.', 'Remove --method, or remove --data and --form.')
  }
  return {
    url,
    ...(method !== undefined && { method }),
    headers: Object.fromEntries(header.map((line) => headerOf(line, variables))),
    ...(data !== undefined && { json: await jsonOf(data) }),
    ...(form.length > 0 && { form: Object.fromEntries(form.map(fieldOf)) }),
  }
}

/** `Authorization: Bearer ${SHOP_TOKEN}` keeps the token out of the list of processes. */
function headerOf(line: string, variables: UsedVariables): [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/s.exec(line) ?? []
  if (name === undefined || value === undefined) {
    throw wrong('A --header is not of the form `Name: value`.', "Write it as --header 'X-Tenant: 5'.")
  }
  return [name, fillVariables(value.trim(), `The header ${name}`, variables)]
}

const dataHint = `Write it as --data '{"query": "…"}', or --data @body.json.`

/** As in curl: `@file` is the content of the file, `@-` is standard input. */
async function jsonOf(data: string): Promise<unknown> {
  const text = data.startsWith('@') ? await textAt(data.slice(1)) : data
  if (text.trim() === '') throw wrong('--data is empty.', dataHint)
  try {
    return parseJson(text).value
  } catch {
    throw wrong('--data is not JSON.', dataHint)
  }
}

async function textAt(path: string): Promise<string> {
  try {
    return path === '-' ? await readStdin() : await readFile(path, 'utf8')
  } catch (cause) {
    throw new ConnectorError('cli/file', `Cannot read the body ${path}: ${reasonOf(cause)}.`, { cause })
  }
}

function fieldOf(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at <= 0) throw wrong('A --form is not of the form `name=value`.', 'Write it as --form status=open.')
  return [text.slice(0, at), text.slice(at + 1)]
}

function wrong(message: string, hint: string): ConnectorError {
  return new ConnectorError('cli/arguments', message, { hint })
}
