import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textEncodingOf } from '../../../src/engine/plan/decoder.ts'
import { hasCode } from '../response/asking.ts'
import { planOf } from '../response/formats/decoding.ts'

test('decoders: plain data, every default filled in', () => {
  assert.deepEqual(planOf({ type: 'CsvDecoder' }), { kind: 'csv', delimiter: ',', encoding: 'utf-8', nulls: [] })
  assert.deepEqual(planOf({ type: 'JsonItemsDecoder', items_path: 'data.users' }), {
    kind: 'json-items',
    path: 'data.users',
    encoding: 'utf-8',
  })
  const packed = { type: 'ZipfileDecoder', decoder: { type: 'GzipDecoder', decoder: { type: 'JsonlDecoder' } } }
  assert.deepEqual(planOf(packed), { kind: 'zip', inner: { kind: 'gzip', inner: { kind: 'json-lines' } } })
})

test('CSV: a delimiter may be an escape written out', () => {
  const written = { '\\t': '\t', '\t': '\t', '\\x01': '\x01', '\\u0001': '\x01', '\\\\': '\\', '': ',', '§': '§' }
  for (const [delimiter, meant] of Object.entries(written)) {
    const plan = planOf({ type: 'CsvDecoder', delimiter })
    assert.equal(plan.kind === 'csv' ? plan.delimiter : null, meant)
  }
})

test('CSV: a delimiter that cannot be one is an error at its place', () => {
  for (const delimiter of [',,', '"', '\n', '\\n', '\\|', 'ab']) {
    assert.throws(() => planOf({ type: 'CsvDecoder', delimiter }), hasCode('manifest/invalid-value', /one character/))
  }
})

test('encodings: by the names that Python has for them', () => {
  const names = {
    'utf-8': 'utf-8',
    utf8: 'utf-8',
    UTF_8: 'utf-8',
    utf_8_sig: 'utf-8',
    'utf-8-sig': 'utf-8',
    utf: 'utf-8',
    'utf-16': 'utf-16le',
    utf_16_be: 'utf-16be',
    'latin-1': 'iso-8859-1',
    latin1: 'iso-8859-1',
    iso_8859_1: 'iso-8859-1',
    'iso8859-15': 'iso-8859-15',
    cp1252: 'windows-1252',
    windows_1252: 'windows-1252',
    '1251': 'windows-1251',
    shift_jis: 'shift_jis',
    gb18030: 'gb18030',
  }
  for (const [name, label] of Object.entries(names)) assert.equal(textEncodingOf(name), label, name)
})

test('encodings: an unknown one is an error before anything is requested', () => {
  const error = hasCode('manifest/invalid-value', /encoding.*"klingon"/)
  assert.throws(() => planOf({ type: 'CsvDecoder', encoding: 'klingon' }), error)
})
