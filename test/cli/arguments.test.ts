import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFileSync } from 'node:fs'
import { runCli } from './run-cli.ts'

const commands = [
  'init',
  'completion',
  'spec',
  'check',
  'discover',
  'read',
  'sync',
  'runs',
  'plan',
  'validate',
  'lab',
  'serve',
]

describe('arguments', { concurrency: 4 }, () => {
  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    assert.deepEqual(await runCli(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('--help names every command', async () => {
    const { code, stdout, stderr } = await runCli(['--help'])
    assert.equal(code, 0)
    assert.equal(stderr, '')
    for (const command of commands) assert.match(stdout, new RegExp(`^  ${command} `, 'm'))
    const groups = stdout.match(/^[A-Z].*:$/gm)
    assert.deepEqual(groups, ['Options:', 'Start:', 'Build:', 'Run:', 'Prove:', 'Operate:', 'Airbyte protocol:'])
  })

  test('-h and -V are --help and --version, also of a command', async () => {
    assert.deepEqual(await runCli(['-h']), await runCli(['--help']))
    assert.deepEqual(await runCli(['-V']), await runCli(['--version']))
    assert.deepEqual(await runCli(['sync', '-h']), await runCli(['sync', '--help']))
  })

  for (const command of commands) {
    test(`${command} --help has an example to copy`, async () => {
      const { code, stdout } = await runCli([command, '--help'])
      assert.equal(code, 0)
      assert.match(stdout, new RegExp(`Examples?:\n  npx turnleaf ${command}`))
    })
  }

  test('no command at all prints the help for people', async () => {
    const { code, stdout, stderr } = await runCli([])
    assert.equal(code, 2)
    assert.equal(stdout, '')
    assert.match(stderr, /^Usage: turnleaf/)
  })

  for (const command of ['connection', 'schedule', 'connectors', 'import']) {
    test(`${command} without a command of it prints its help for people`, async () => {
      const { stdout: help } = await runCli([command, '--help'])
      assert.match(help, new RegExp(`^Usage: turnleaf ${command} `))
      assert.deepEqual(await runCli([command]), { code: 2, stdout: '', stderr: help })
    })
  }

  const faults: [string, string[], RegExp, RegExp][] = [
    ['a command with a typo', ['raed'], /Unknown command 'raed'/, /Did you mean read\?/],
    ['a port of serve', ['serve', '--port', '3'], /'--port'/, /Did you mean --api-port or --site-port\?/],
    ['an option with a typo', ['read', '--manifest-path', 'm', '--strem', 'x'], /'--strem'/, /Did you mean --stream\?/],
    ['help for an unknown command', ['help', 'snyc'], /unknown command 'snyc'/i, /Did you mean sync\?/],
    ['a missing option', ['sync'], /--manifest-path/, /turnleaf sync --help/],
    ['a missing argument', ['validate'], /missing required argument 'manifest'/i, /turnleaf validate --help/],
    ['a word too many', ['lab', 'x'], /too many arguments/i, /turnleaf lab --help/],
    ['a page limit of 0', ['read', '--manifest-path', 'm', '--max-pages', '0'], /whole number, 1 or more/, /--help/],
    ['no slice at a time', ['read', '--manifest-path', 'm', '--concurrency', '0'], /whole number, 1 or more/, /--help/],
    ['a prefetch that is no number', ['read', '--manifest-path', 'm', '--prefetch', 'lots'], /auto, off/, /--help/],
    [
      'a verdict that does not exist',
      ['sync', '--manifest-path', 'm', '--require', 'proof'],
      /complete, unproven/,
      /--help/,
    ],
    [
      'a connection without a name',
      ['sync', '--manifest-path', 'm', '--connection', ' '],
      /must not be empty/,
      /--help/,
    ],
    ['no run to list', ['runs', '--limit', '0'], /whole number, 1 or more/, /--help/],
    [
      'an address with a password in the wrong place',
      ['runs', '--into=postgres://me:s3cr:t@/@host/shop?password=s3cret'],
      /'--into=postgres:\/\/me:…@host\/shop\?password=…'/,
      /--help/,
    ],
    ['a port out of range', ['lab', '--port', '70000'], /65535/, /--help/],
    [
      'a catalog and a stream',
      ['read', '--manifest-path', 'm', '--catalog', 'c', '--stream', 's'],
      /cannot be used with/,
      /--help/,
    ],
  ]
  for (const [name, args, what, next] of faults) {
    test(`${name} is a fault in the arguments`, async () => {
      const { code, stdout, stderr } = await runCli(args)
      assert.equal(code, 2)
      assert.equal(stdout, '')
      assert.match(stderr, /^cli\/arguments: /)
      assert.match(stderr, what)
      assert.match(stderr, new RegExp(`\n  try  .*${next.source}`))
    })
  }
})
