import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shellWords } from '../../../../src/builder/connectors/curl/shell-words.ts'

const rows: readonly [name: string, text: string, words: readonly string[]][] = [
  ['words are parted by any space', 'curl  -s\thttps://a', ['curl', '-s', 'https://a']],
  ['single quotes take everything as it is', `curl 'a "b" $c \\d'`, ['curl', 'a "b" $c \\d']],
  ['double quotes know four escapes', `curl "a\\"b\\\\c\\$d\\\`e\\nf"`, ['curl', 'a"b\\c$d`e\\nf']],
  ['parts in different quotes are one word', `curl 'it'"'"'s'`, ['curl', "it's"]],
  ['$ before a single quote reads escapes as C does', `curl $'a\\'b\\n\\x41\\u00e9\\101'`, ['curl', "a'b\nAéA"]],
  ['a backslash at the end of a line joins the lines', "curl \\\n  -s \\\r\n  'x'", ['curl', '-s', 'x']],
  ['a joined line does not end a word', 'curl ab\\\ncd', ['curl', 'abcd']],
  ['an empty word counts', `curl -d ''`, ['curl', '-d', '']],
  ['an address without quotes keeps its ampersands', 'curl https://a/b?c=1&d=2', ['curl', 'https://a/b?c=1&d=2']],
  ['the next command is not read', 'curl a | jq .', ['curl', 'a']],
  ['nor where the output goes', 'curl a > out.json', ['curl', 'a']],
  ['nor what runs after it', 'curl a && echo done', ['curl', 'a']],
  [
    'cmd quotes with carets',
    'curl ^"https://a/b?c=1^&d=2^" ^\n  -H ^"x: ^\\^"y^\\^"^"',
    ['curl', 'https://a/b?c=1&d=2', '-H', 'x: "y"'],
  ],
  [
    'cmd of older browsers doubles its quotes',
    'curl "https://a" ^\r\n  -d "{""a"":1}"',
    ['curl', 'https://a', '-d', '{"a":1}'],
  ],
  ['a line end inside a value of cmd', 'curl ^"a^\n\nb^"', ['curl', 'a\nb']],
]

describe('the words of a command', () => {
  for (const [name, text, words] of rows) {
    test(name, () => assert.deepEqual(shellWords(text), { words, unclosed: null }))
  }

  for (const text of [`curl 'a`, 'curl "a', `curl $'a`, `curl 'a' "b`]) {
    test(`a quote that is not closed is reported: ${text}`, () => assert.notEqual(shellWords(text).unclosed, null))
  }
})

describe('whatever a value holds, quoting it for sh and reading it again gives the value', () => {
  const random = seeded(7)
  for (let round = 0; round < 200; round += 1) {
    const value = randomText(random)
    const quoted = `'${value.replaceAll("'", `'\\''`)}'`
    const double = `"${value.replaceAll(/[$`"\\]/g, (char) => `\\${char}`)}"`
    const ansi = `$'${Array.from(value, (char) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`).join('')}'`
    for (const text of [quoted, double, ansi]) {
      test(`${round}: ${text.slice(0, 2)}`, () =>
        assert.deepEqual(shellWords(`curl ${text} x`).words, ['curl', value, 'x']))
    }
  }
})

function randomText(random: () => number): string {
  const letters = Array.from(`ab 'x"\\$\`\n\t;|&<>^#!*?{}[]()~%=é漢🌿`)
  return Array.from(
    { length: 1 + Math.floor(random() * 12) },
    () => letters[Math.floor(random() * letters.length)],
  ).join('')
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
