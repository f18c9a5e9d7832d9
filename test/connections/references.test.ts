import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { keepReferences } from '../../src/connections/keep-references.ts'
import { fillReferences, hasReferences, isOnlyReferences } from '../../src/connections/references.ts'
import { ConnectorError } from '../../src/std/errors.ts'
import { tempFolder } from '../cli/shop.ts'

const locate = (path: readonly (string | number)[]) => ({ pointer: `/${path.join('/')}`, file: 'config.yaml' })

afterEach(() => {
  for (const name of ['SHOP_KEY', 'SHOP_HOST', 'SHOP_EMPTY']) delete process.env[name]
})

describe('references of a config', () => {
  test('variables are filled in anywhere in a string, files where they are the whole string', async () => {
    await using files = await tempFolder()
    await files.write('token', 's3cr3t\n')
    process.env.SHOP_KEY = 'k3y'
    process.env.SHOP_HOST = 'api.example.com'
    const config = {
      key: '${SHOP_KEY}',
      url: 'https://${SHOP_HOST}/v1?key=${SHOP_KEY}',
      nested: [{ token: 'file:token' }, `file://${files.folder}/token`],
      size: 5,
    }
    assert.deepEqual(await fillReferences(config, { folder: files.folder, locate }), {
      key: 'k3y',
      url: 'https://api.example.com/v1?key=k3y',
      nested: [{ token: 's3cr3t' }, 's3cr3t'],
      size: 5,
    })
  })

  test('a dollar sign keeps them as text, and only one newline is cut from a file', async () => {
    await using files = await tempFolder()
    await files.write('pem', 'a\nb\n\n')
    const config = { variable: '$${SHOP_KEY}', file: '$file:token', price: '$5 {x} $SHOP', pem: 'file:pem' }
    const filled = { variable: '${SHOP_KEY}', file: 'file:token', price: '$5 {x} $SHOP', pem: 'a\nb\n' }
    assert.deepEqual(await fillReferences(config, { folder: files.folder, locate }), filled)
  })

  test('every one that is missing is reported, with its name and its field', async () => {
    await using files = await tempFolder()
    process.env.SHOP_EMPTY = ''
    const config = { a: '${SHOP_KEY}', b: { c: 'file:nowhere/token' }, d: 'x${SHOP_EMPTY}', e: 'file:.' }
    const error = await fillReferences(config, { folder: files.folder, locate }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ConnectorError)
    const found = error.problems.map(({ code, message, at }) => `${code} ${at.pointer} ${message}`)
    assert.deepEqual(found.toSorted(), [
      'connections/missing-file /b/c `b.c` is in the file nowhere/token, which cannot be read: it does not exist.',
      'connections/missing-file /e `e` is in the file ., which cannot be read: it is a folder.',
      'connections/missing-variable /a `a` needs the environment variable SHOP_KEY, which is not set.',
      'connections/missing-variable /d `d` needs the environment variable SHOP_EMPTY, which is empty.',
    ])
    assert.match(error.problems.map(({ hint }) => hint).join(' '), /export SHOP_KEY=….*\$\$\{SHOP_KEY\}/)
  })

  test('a value that an API sends is text, not a reference to a file or a variable of this machine', async () => {
    await using files = await tempFolder()
    const sent = { a: 'file:/etc/passwd', b: 'x ${HOME} $${HOME}', c: 'plain $5' }
    const { config } = keepReferences({ written: {}, filled: {}, changed: sent, isSecret: () => false })
    assert.deepEqual(await fillReferences(config, { folder: files.folder, locate }), sent)
    const { config: kept } = keepReferences({
      written: {},
      filled: {},
      changed: sent,
      isSecret: () => false,
      mayRefer: true,
    })
    assert.deepEqual(kept, sent)
  })

  test('what is a reference, and what shows nothing else', () => {
    for (const text of ['${A}', 'file:x', 'Bearer ${A}']) assert.ok(hasReferences({ list: [text] }), text)
    for (const text of ['$${A}', '$file:x', 'profile:x', '${}', '${1}', '']) assert.ok(!hasReferences(text), text)
    assert.ok(isOnlyReferences('${A}${B}') && isOnlyReferences('file:x'))
    assert.ok(!isOnlyReferences('Bearer ${A}') && !isOnlyReferences('$${A}') && !isOnlyReferences(''))
  })
})

describe('a changed config', () => {
  const keep = (written: object, filled: object, changed: object, secrets: readonly string[] = []) =>
    keepReferences({
      written: written as never,
      filled: filled as never,
      changed: changed as never,
      isSecret: (value) => secrets.includes(value),
    })

  test('keeps the references of what did not change, also where a migration moved it', () => {
    const stored = keep(
      { key: '${KEY}', host: '${HOST}', day: 'x' },
      { key: 'k', host: 'h', day: 'x' },
      { credentials: { key: 'k' }, host: 'h', day: 'y' },
    )
    assert.deepEqual(stored, { config: { credentials: { key: '${KEY}' }, host: '${HOST}', day: 'y' }, files: [] })
  })

  test('writes a new secret to the file that held the old one, or to one of its own', () => {
    const stored = keep(
      { auth: { refresh: 'file:rt', other: '${OTHER}' }, size: 1 },
      { auth: { refresh: 'r0', other: 'o0' }, size: 1 },
      { auth: { refresh: 'r1', other: 'o1', access: 'a1', expires: 'soon' }, size: 2 },
      ['r1', 'o1', 'a1'],
    )
    const auth = {
      refresh: 'file:rt',
      other: 'file:secrets/auth.other',
      access: 'file:secrets/auth.access',
      expires: 'soon',
    }
    assert.deepEqual(stored.config, { auth, size: 2 })
    assert.deepEqual(
      stored.files.map(({ reference, content }) => [reference, content]),
      [
        ['file:rt', 'r1'],
        ['file:secrets/auth.other', 'o1'],
        ['file:secrets/auth.access', 'a1'],
      ],
    )
  })

  test('two fields never share a file', () => {
    const { files } = keep({}, {}, { 'a.b': 'one', a: { b: 'two' } }, ['one', 'two'])
    assert.deepEqual(
      files.map(({ reference }) => reference),
      ['file:secrets/a.b', 'file:secrets/a.b_'],
    )
  })
})
