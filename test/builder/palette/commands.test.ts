import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Command, findCommands, listCommands } from '../../../src/builder/palette/commands.ts'

const command = (id: string, group: string, label: string, more: Partial<Command> = {}): Command => ({
  id,
  group,
  label,
  run: () => {},
  ...more,
})

const all = [
  command('save', 'Actions', 'Save'),
  command('theme dark', 'Actions', 'Theme: dark', { words: 'colours' }),
  command('stream orders', 'Streams', 'orders'),
  command('stream order_items', 'Streams', 'order_items'),
  command('stream reorders', 'Streams', 'reorders'),
  command('section orders Pagination', 'Sections', 'orders › Pagination', { words: 'orders', isHidden: true }),
]

const ids = (commands: readonly Command[]) => commands.map(({ id }) => id)

test('without words everything is listed by group, what was used lately first, but for what is found by words only', () => {
  const groups = listCommands(all, ['stream orders', 'gone', 'save'])
  assert.deepEqual(
    groups.map(({ name, commands }) => [name, ids(commands)]),
    [
      ['Recent', ['stream orders', 'save']],
      ['Actions', ['theme dark']],
      ['Streams', ['stream order_items', 'stream reorders']],
    ],
  )
})

test('what one works with comes before other groups, and in a group what has a key', () => {
  const mixed = [
    command('theme', 'Appearance', 'Dark'),
    command('stream a', 'Streams', 'a'),
    command('delete', 'Actions', 'Delete'),
    command('test', 'Actions', 'Test', { hint: 'Ctrl Enter' }),
  ]
  assert.deepEqual(
    listCommands(mixed, []).map(({ name, commands }) => [name, ids(commands)]),
    [
      ['Actions', ['test', 'delete']],
      ['Streams', ['stream a']],
      ['Appearance', ['theme']],
    ],
  )
})

test('the whole name comes before its beginning, a word in it, and letters inside a word', () => {
  assert.deepEqual(ids(findCommands(all, 'orders', [])), [
    'stream orders',
    'section orders Pagination',
    'stream reorders',
  ])
  assert.deepEqual(ids(findCommands(all, 'ORD', [])).at(-1), 'stream reorders')
})

test('every word has to be found, in the name or in other words', () => {
  assert.deepEqual(ids(findCommands(all, 'ord pag', [])), ['section orders Pagination'])
  assert.deepEqual(ids(findCommands(all, 'colours', [])), ['theme dark'])
  assert.deepEqual(findCommands(all, 'nothing like it', []), [])
})

test('of equals, what was used lately is first', () => {
  assert.deepEqual(ids(findCommands(all, 'order', ['stream order_items'])).slice(0, 1), ['stream order_items'])
})
