/** A command as copied from a terminal or a browser → its words, without the quoting of sh or of Windows' cmd. */

export type ShellWords = { readonly words: readonly string[]; readonly unclosed: string | null }

export function shellWords(text: string): ShellWords {
  const command = text.trim()
  return isFromCmd(command) ? wordsOf(withoutCarets(command), cmdWord) : wordsOf(command, shWord)
}

/** What one character, or one quoted part, adds to a word; `next` is where reading continues. */
type Part = { readonly text: string; readonly next: number } | { readonly unclosed: string } | 'end'

type ReadPart = (text: string, at: number, isStart: boolean) => Part

function wordsOf(text: string, readPart: ReadPart): ShellWords {
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] as string)) {
      if (word !== null) words.push(word)
      word = null
      at += 1
      continue
    }
    const part = readPart(text, at, word === null)
    if (part === 'end') break
    if ('unclosed' in part) return { words, unclosed: part.unclosed }
    // The end of a line is no part of a word, and does not end one either.
    if (part.text !== '' || !/^\\?\r?\n$/.test(text.slice(at, part.next))) word = (word ?? '') + part.text
    at = part.next
  }
  return { words: word === null ? words : [...words, word], unclosed: null }
}

function shWord(text: string, at: number, isStart: boolean): Part {
  const char = text[at] as string
  if (char === "'") return upTo(text, at + 1, "'", (inside) => inside)
  if (char === '"') return doubleQuoted(text, at + 1)
  if (char === '$' && text[at + 1] === "'") return ansiQuoted(text, at + 2)
  if (char === '$' && text[at + 1] === '"') return doubleQuoted(text, at + 2)
  if (char === '\\') return escaped(text, at)
  // What follows is another command. Addresses are often pasted without quotes, so `&` ends nothing inside a word.
  if (char === ';' || char === '|' || (isStart && /^(&|\d?[<>])/.test(text.slice(at, at + 2)))) return 'end'
  return { text: char, next: at + 1 }
}

function upTo(text: string, from: number, quote: string, read: (inside: string) => string): Part {
  const end = text.indexOf(quote, from)
  return end < 0 ? { unclosed: quote } : { text: read(text.slice(from, end)), next: end + 1 }
}

function escaped(text: string, at: number): Part {
  const lineEnd = /^\\\r?\n/.exec(text.slice(at, at + 3))
  if (lineEnd !== null) return { text: '', next: at + lineEnd[0].length }
  return { text: text[at + 1] ?? '', next: at + 2 }
}

function doubleQuoted(text: string, from: number): Part {
  let inside = ''
  for (let at = from; at < text.length; ) {
    const char = text[at] as string
    if (char === '"') return { text: inside, next: at + 1 }
    const escape = char === '\\' ? /^\\(?:(\r?\n)|([$`"\\]))/.exec(text.slice(at, at + 3)) : null
    inside += escape === null ? char : (escape[2] ?? '')
    at += escape === null ? 1 : escape[0].length
  }
  return { unclosed: '"' }
}

const ansiLetters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  v: '\v',
}

const ansiEscape =
  /^\\(?:x(?<hex>[\da-fA-F]{1,2})|u(?<short>[\da-fA-F]{1,4})|U(?<long>[\da-fA-F]{1,8})|(?<octal>[0-7]{1,3})|(?<letter>[^]))/

/** `$'…'`, which browsers write where a value holds a quote or a character that is not ASCII. */
function ansiQuoted(text: string, from: number): Part {
  let inside = ''
  for (let at = from; at < text.length; ) {
    const char = text[at] as string
    if (char === "'") return { text: inside, next: at + 1 }
    const escape = char === '\\' ? ansiEscape.exec(text.slice(at, at + 10)) : null
    inside += escape === null ? char : ansiCharacter(escape.groups as Record<string, string | undefined>)
    at += escape === null ? 1 : escape[0].length
  }
  return { unclosed: "$'" }
}

function ansiCharacter({ hex, short, long, octal, letter = '' }: Record<string, string | undefined>): string {
  const code = hex ?? short ?? long
  if (code !== undefined) return safeCharacter(Number.parseInt(code, 16))
  if (octal !== undefined) return safeCharacter(Number.parseInt(octal, 8))
  return ansiLetters[letter] ?? letter
}

function safeCharacter(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD'
}

/** Windows' cmd quotes with carets: `^"` around words, and a caret at the end of each line. */
function isFromCmd(text: string): boolean {
  return /^\S*curl\S*\s+(?:-\S+\s+)*\^"/i.test(text) || /\s\^\r?\n\s*-/.test(text)
}

function withoutCarets(text: string): string {
  // A line end inside a value is written as a caret and two line ends.
  return text.replaceAll(/\^(?:(\r?\n)(\r?\n)?|([^]))/g, (_, _first, second: string | undefined, char: string) =>
    second === undefined ? (char ?? ' ') : '\n',
  )
}

function cmdWord(text: string, at: number): Part {
  const char = text[at] as string
  if (char !== '"') return { text: char, next: at + 1 }
  let inside = ''
  for (let here = at + 1; here < text.length; ) {
    const escape = /^(?:\\(["\\])|"(")(?!\s|$))/.exec(text.slice(here, here + 3))
    if (escape !== null) {
      inside += escape[1] ?? '"'
      here += escape[0].length
    } else if (text[here] === '"') return { text: inside, next: here + 1 }
    else {
      inside += text[here]
      here += 1
    }
  }
  return { unclosed: '"' }
}
