/** Every command with its options, and the file that runs it. Commands are loaded when called: `read` must start fast. */
import { Command, CommanderError } from 'commander'
import { type AddCommand, argumentError } from './arguments.ts'
import { addConnectionCommands, addScheduleCommands } from './connection-commands.ts'
import { addMcpCommand, addWorkerCommands } from './worker-commands.ts'
import { addBuildCommands } from './build-commands.ts'
import { addProofCommands } from './proof-commands.ts'
import { addProtocolCommands } from './protocol-commands.ts'
import { addStartCommands } from './start-commands.ts'
import { addSyncCommand, addTableCommands } from './sync-commands.ts'
import { helpLayout } from './help-layout.ts'
import { packageVersion } from './package.ts'

/** Runs one command; returns its exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const runs =
    <Given extends unknown[]>(load: () => Promise<(...given: Given) => Promise<number>>) =>
    async (...given: Given) => {
      exitCode = await (await load())(...given)
    }

  const program = new Command('turnleaf')
    .description('Copies every record of an HTTP API into a database, and reports whether any is missing.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpCommand(
      new Command('help').argument('[command]').description('Print help for a command.').helpGroup('Start:'),
    )
    .configureHelp(helpLayout)
    .exitOverride()
    .configureOutput({ outputError: () => {} })

  const add: AddCommand = (parent, name, description, ...examples) =>
    parent
      .command(name)
      .description(description)
      .helpOption('-h, --help', 'print this help')
      .addHelpText(
        'after',
        `\nExample${examples.length === 1 ? '' : 's'}:${examples.map((one) => `\n  npx turnleaf ${one}`).join('')}`,
      )
  program.commandsGroup('Start:')
  addStartCommands(program, add, runs)
  program.commandsGroup('Build:')
  addBuildCommands(program, add, runs)
  program.commandsGroup('Run:')
  addSyncCommand(program, add, runs)
  addConnectionCommands(program, add, runs)
  addScheduleCommands(program, add, runs)
  addTableCommands(program, add, runs)
  program.commandsGroup('Prove:')
  addProofCommands(program, add, runs)
  program.commandsGroup('Operate:')
  addWorkerCommands(program, add, runs)
  addMcpCommand(program, add, runs)
  program.commandsGroup('Airbyte protocol:')
  addProtocolCommands(program, add, runs)

  if (args.length === 0) {
    process.stderr.write(program.helpInformation())
    return 2
  }
  try {
    await program.parseAsync(isHelpForNothing(program, args) ? args.slice(1) : args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // `turnleaf connection`: the help, which is on standard error already, says which commands it has.
    if (error.code === 'commander.help' && error.exitCode !== 0) return 2
    if (error.exitCode !== 0) throw argumentError(error, commandIn(program, args), args)
  }
  return exitCode
}

/** `help snyc`: without its first word it is refused like any unknown command, with the near one. */
function isHelpForNothing({ commands }: Command, [first, name]: readonly string[]): boolean {
  return first === 'help' && name !== undefined && !name.startsWith('-') && !commands.some((one) => one.name() === name)
}

/** The command, or the command of a command, that the arguments name; otherwise the program. */
function commandIn(command: Command, [name, ...rest]: readonly string[]): Command {
  const named = command.commands.find((known) => known.name() === name)
  return named === undefined ? command : commandIn(named, rest)
}
