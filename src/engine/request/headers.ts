/** Header values of several sources → the headers of one request, fit to be sent. */
import { ConnectorError, type SourceLocation } from '../../errors.ts'
import { pythonText } from '../template/text.ts'
import type { Sourced } from './merge.ts'

export function headersOf(
  headers: readonly Sourced<unknown>[],
  contentType: string | null,
  at: SourceLocation,
): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const { name, value } of headers) {
    if (value !== null) texts[checkedName(name, at)] = checkedValue(name, pythonText(value), at)
  }
  const isSet = Object.keys(texts).some((name) => name.toLowerCase() === 'content-type')
  return contentType === null || isSet ? texts : { ...texts, 'Content-Type': contentType }
}

function checkedName(name: string, at: SourceLocation): string {
  if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return name
  throw new ConnectorError('request/invalid-header', `\`${name}\` is no name for a header.`, { at })
}

/** RFC 9110 §5.5: no control characters, and no space in front. */
function checkedValue(name: string, value: string, at: SourceLocation): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value) && !/^\s/.test(value)) return value
  const message = `The header \`${name}\` would carry characters that headers cannot.`
  throw new ConnectorError('request/invalid-header', message, { at })
}
