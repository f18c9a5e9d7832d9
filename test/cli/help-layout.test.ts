import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Command } from 'commander'
import { helpLayout } from '../../src/cli/help-layout.ts'

function helpAt(columns: number): string[] {
  return new Command('turnleaf')
    .configureHelp({ ...helpLayout, helpWidth: columns })
    .option(
      '--manifest-path <file>',
      'the manifest, or its folder; values of its inputs come from the file of --config',
    )
    .helpInformation()
    .split('\n')
}

suite('the layout of help', () => {
  test('has descriptions next to their terms where there is room', () => {
    assert.match(
      helpAt(80).join('\n'),
      /^ {2}--manifest-path <file> {2}the manifest, or its folder; values of its inputs come$/m,
    )
  })

  for (const columns of [30, 50, 60]) {
    test(`cuts no word in two on ${columns} columns`, () => {
      const lines = helpAt(columns)
      assert.deepEqual(
        lines.filter((line) => line.length > columns),
        [],
      )
      assert.match(
        lines.join(' ').replaceAll(/\s+/g, ' '),
        /the manifest, or its folder; values of its inputs come from/,
      )
    })
  }

  test('lists `help` for the program, and not for each group of commands', () => {
    const program = new Command('turnleaf').configureHelp(helpLayout)
    const group = program.command('schedule')
    group.command('add').action(() => {})
    assert.match(program.helpInformation(), /^ {2}help/m)
    assert.doesNotMatch(group.helpInformation(), /^ {2}help/m)
  })
})
