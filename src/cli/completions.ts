/** A command line that is being typed → the words that can come next. */
import type { Command, Option } from 'commander'

export type Completion = { readonly word: string; readonly says: string }

/** What can be named on a command line besides commands and options. */
export type KnownNames = { readonly connections: () => Promise<readonly string[]> }

/**
 * @param words those after `turnleaf`; the last is the one being typed, and may be empty.
 * @returns empty where the name of a file is expected, which shells complete themselves.
 */
export async function completionsOf(
  program: Command,
  words: readonly string[],
  names: KnownNames,
): Promise<Completion[]> {
  const typed = words.at(-1) ?? ''
  const { command, option, position } = placeOf(program, words.slice(0, -1))
  const found = await candidates(command, option, position, typed, names)
  return found.filter(({ word }) => word.startsWith(typed))
}

async function candidates(
  command: Command,
  option: Option | null,
  position: number,
  typed: string,
  names: KnownNames,
): Promise<Completion[]> {
  if (option !== null) return (option.argChoices ?? []).map((word) => ({ word, says: '' }))
  const help = command.createHelp()
  if (typed.startsWith('-')) {
    return help.visibleOptions(command).flatMap(({ long, description }) => wordFor(long, description))
  }
  const commands = help.visibleCommands(command).map((one) => ({ word: one.name(), says: one.description() }))
  const argument = command.registeredArguments[position]
  const choices = (argument?.argChoices ?? []).map((word) => ({ word, says: '' }))
  const connections = argument?.name() === 'connection' ? await names.connections() : []
  return [
    ...(position === 0 ? commands : []),
    ...choices,
    ...connections.map((word) => ({ word, says: 'a connection' })),
  ]
}

function wordFor(long: string | undefined, says: string): Completion[] {
  return long === undefined ? [] : [{ word: long, says }]
}

/** The command that the words name, an option that waits for its value, and how many arguments were given. */
function placeOf(program: Command, words: readonly string[]) {
  let command = program
  let option: Option | null = null
  let position = 0
  for (const word of words) {
    if (option !== null) option = null
    else if (word.startsWith('-')) option = waitingOption(command, word)
    else {
      const inner = position === 0 ? command.commands.find((one) => one.name() === word) : undefined
      if (inner === undefined) position += 1
      else command = inner
    }
  }
  return { command, option, position }
}

function waitingOption(command: Command, word: string): Option | null {
  if (word.includes('=')) return null
  const option = command.options.find(({ long, short }) => word === long || word === short)
  return option !== undefined && (option.required || option.optional) ? option : null
}
