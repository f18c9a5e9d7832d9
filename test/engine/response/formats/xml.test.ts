import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodingInXml, parseXml } from '../../../../src/engine/response/formats/xml.ts'

const rows: [what: string, xml: string, expected: unknown][] = [
  ['attributes, and the text next to them', '<a id="1" x:b="">t</a>', { a: { '@id': '1', '@x:b': '', '#text': 't' } }],
  ['attributes without a text', '<a id="1"> </a>', { a: { '@id': '1' } }],
  ['an empty element', '<a><b/><c></c><d> \n</d></a>', { a: { b: null, c: null, d: null } }],
  ['members of one name', '<a><b>1</b><b>2</b><c/><b>3</b></a>', { a: { b: ['1', '2', '3'], c: null } }],
  ['a text in pieces', '<a>x<b/>y<![CDATA[<z>]]></a>', { a: { b: null, '#text': 'xy<z>' } }],
  ['a member of any name', '<a><__proto__>1</__proto__></a>', { a: JSON.parse('{"__proto__":"1"}') }],
  ['space of Python at both ends', '<a>\u00a0\u3000 x y \u2028\u0085</a>', { a: 'x y' }],
  ['a mark that is no space', '<a>\ufeffx\u200b</a>', { a: '\ufeffx\u200b' }],
  ['a single letter', '<a>x</a>', { a: 'x' }],
]
for (const [what, xml, expected] of rows) {
  test(`XML: ${what}`, () => assert.deepEqual(parseXml(xml), expected))
}

test('XML: a thousand levels are read, one more is refused', () => {
  const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels)
  assert.ok('a' in parseXml(nested(1000)))
  assert.throws(() => parseXml(`\n${nested(1001)}`), { message: 'it nests deeper than 1000 levels at line 2' })
})

test('XML: an error says the line and the reason, without the place of the parser', () => {
  assert.throws(() => parseXml('<a>\n&x;</a>'), { message: 'line 2 is not XML (undefined entity)' })
})

test('XML: a declared kind of document is fine, one with entities is not', () => {
  assert.deepEqual(parseXml('<!DOCTYPE a SYSTEM "a.dtd"><a>1</a>'), { a: '1' })
  assert.throws(() => parseXml('<!DOCTYPE a [<!entity x "y">]><a>1</a>'), /declares entities/)
})

test('XML: the declaration names the encoding within its first two hundred bytes', () => {
  const encoding = (text: string) => encodingInXml(Buffer.from(text))
  assert.equal(encoding('<?xml version="1.0" encoding="ISO-8859-1"?><a/>'), 'ISO-8859-1')
  assert.equal(encoding(" <?xml version='1.0' encoding = 'utf-16'?>"), 'utf-16')
  assert.equal(encoding('<?xml version="1.0"?><a encoding="x"/>'), undefined)
  assert.equal(encoding('<a encoding="x"/>'), undefined)
  const padded = (length: number) => encoding('<?xml version="1.0" encoding="utf-8"'.padStart(length))
  assert.equal(padded(200), 'utf-8')
  assert.equal(padded(201), undefined)
})
