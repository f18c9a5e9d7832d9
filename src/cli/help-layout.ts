/** How help is laid out: by the width of the terminal, without words cut in two. */
import { type Argument, type Command, Help, type HelpConfiguration } from 'commander'

/** Below this many columns for descriptions, they are below their terms. */
const leastColumns = 36
const indent = 6

export const helpLayout: HelpConfiguration = {
  minWidthToWrap: 20,
  // Most commands have options: saying so on every line says nothing.
  subcommandTerm: (one) => [one.name(), ...one.registeredArguments.map(argumentTerm)].join(' '),
  visibleCommands,
  formatItem,
}

/** `help` is listed once, by the program. */
function visibleCommands(command: Command): Command[] {
  return new Help().visibleCommands(command).filter((one) => command.parent === null || one.name() !== 'help')
}

function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? 80
  if (description === '' || width - termWidth - 4 >= leastColumns) {
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper)
  }
  const lines = helper.boxWrap(description, width - indent).split('\n')
  return [`  ${term}`, ...lines.map((line) => ' '.repeat(indent) + line)].join('\n')
}

function argumentTerm(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`
}
