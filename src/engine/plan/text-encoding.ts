/** The name that Python gives a text encoding → one that `TextDecoder` knows, or `iso-8859-1`. */

/** Latin-1 proper, each byte its own character: on the web this name stands for Windows' alphabet. */
export const latin1 = 'iso-8859-1'

/** Names that only Python knows, spelled with `-`. */
const pythonNames: Readonly<Record<string, string>> = {
  utf: 'utf-8',
  u8: 'utf-8',
  'utf-8-sig': 'utf-8',
  ascii: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
  utf16: 'utf-16le',
  latin: latin1,
  'latin-1': latin1,
  latin1,
  l1: latin1,
  '8859': latin1,
  'iso8859-1': latin1,
  'iso-8859-1': latin1,
  cp819: latin1,
  'latin-2': 'iso-8859-2',
  'latin-9': 'iso-8859-15',
  cp866: 'ibm866',
  cp932: 'shift_jis',
  'shift-jis': 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'mac-roman': 'macintosh',
}

/** @example textEncodingOf('utf_8_sig') // 'utf-8' */
export function textEncodingOf(name: string): string | null {
  const spelled = name
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, '-')
  if (Object.hasOwn(pythonNames, spelled)) return pythonNames[spelled] as string
  const [, page] = /^(?:cp|windows-)?(125\d|874)$/.exec(spelled) ?? []
  return labelOf(page === undefined ? spelled : `windows-${page}`)
}

function labelOf(name: string): string | null {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return null
  }
}
