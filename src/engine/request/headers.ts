/** Header values of several sources → the headers of one request, fit to be sent. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { pythonText } from '../template/text.ts'
import type { Sourced } from './merge.ts'

export function headersOf(
  headers: readonly Sourced<unknown>[],
  contentType: string | null,
  at: SourceLocation,
): Record<string, string> {
  // Airbyte: names that differ in case do not collide, and the last one is sent.
  const texts = new Map<string, [name: string, text: string]>()
  for (const { name, value } of headers) {
    if (value !== null)
      texts.set(name.toLowerCase(), [checkedName(name, at), checkedValue(name, pythonText(value), at)])
  }
  if (contentType !== null && !texts.has('content-type')) texts.set('content-type', ['Content-Type', contentType])
  return Object.fromEntries(texts.values())
}

function checkedName(name: string, at: SourceLocation): string {
  if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return name
  throw new ConnectorError('request/invalid-header', `\`${name}\` is not a valid header name.`, { at })
}

/** RFC 9110 §5.5: no control characters, and no space in front. */
function checkedValue(name: string, value: string, at: SourceLocation): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value) && !/^\s/.test(value)) return value
  const message = `The header \`${name}\` would contain characters that are not allowed in headers.`
  throw new ConnectorError('request/invalid-header', message, { at })
}
