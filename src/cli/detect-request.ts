/** The arguments of `turnleaf detect` → the request it asks about. What they hold may be secret, so no complaint quotes it. */
import { isUrl } from '../is-url.ts'
import { readFile } from 'node:fs/promises'
import { ConnectorError } from '../errors.ts'
import type { DetectionRequest } from '../insight/detection/detection.ts'
import { parseJson } from '../json.ts'
import { reasonOf } from './files.ts'

export type RequestArguments = {
  readonly method?: 'GET' | 'POST'
  readonly header?: readonly string[]
  readonly data?: string
  readonly form?: readonly string[]
}

export async function requestFrom(url: string, given: RequestArguments): Promise<DetectionRequest> {
  if (!/^https?:\/\//i.test(url) || !isUrl(url)) {
    throw wrong('The URL is not a whole http or https address.', 'Write it as https://api.example.com/v1/orders.')
  }
  const { method, header = [], data, form = [] } = given
  if (data !== undefined && form.length > 0) throw wrong('A body is either --data or --form.', 'Leave one of them out.')
  if (method === 'GET' && (data !== undefined || form.length > 0)) {
    throw wrong('A GET has no body.', 'Leave --method out, or --data and --form.')
  }
  return {
    url,
    ...(method !== undefined && { method }),
    headers: Object.fromEntries(header.map(headerOf)),
    ...(data !== undefined && { json: await jsonOf(data) }),
    ...(form.length > 0 && { form: Object.fromEntries(form.map(fieldOf)) }),
  }
}

/** `Authorization: Bearer ${SHOP_TOKEN}`: what stands in the environment stands in no list of processes. */
function headerOf(line: string): [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/s.exec(line) ?? []
  if (name === undefined || value === undefined) {
    throw wrong('A --header is not of the form `Name: value`.', "Write it as --header 'X-Tenant: 5'.")
  }
  return [name, value.trim().replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => fromEnvironment(variable, name))]
}

function fromEnvironment(variable: string, header: string): string {
  const value = process.env[variable]
  if (value !== undefined && value !== '') return value
  throw wrong(`The header ${header} needs ${variable}, which the environment does not have.`, `export ${variable}=…`)
}

/** As curl has it: `@file` stands for what the file holds, `@-` for standard input. */
async function jsonOf(data: string): Promise<unknown> {
  const text = data.startsWith('@') ? await textAt(data.slice(1)) : data
  try {
    return parseJson(text).value
  } catch {
    throw wrong('--data is not JSON.', `Write it as --data '{"query": "…"}', or --data @body.json.`)
  }
}

async function textAt(path: string): Promise<string> {
  try {
    return await readFile(path === '-' ? '/dev/stdin' : path, 'utf8')
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
