/** `turnleaf completion`: the script that completes commands in a shell, and what it calls while a person types. */
import type { Command, Option } from 'commander'
import { connectionNames, homeFolder } from '../../connections/find-connection.ts'

export async function runCompletion(shell: keyof typeof scripts): Promise<number> {
  process.stdout.write(scripts[shell])
  return 0
}

/** One word a line, then a tab and what it means. Nothing is printed where the shell completes names of files. */
export async function runComplete(program: Command, words: readonly string[]): Promise<number> {
  const connections = () => connectionNames(homeFolder()).catch(() => [])
  const found = await completionsOf(program, words, { connections })
  process.stdout.write(found.map(({ word, says }) => `${word}\t${says}\n`).join(''))
  return 0
}

type Completion = { readonly word: string; readonly says: string }

/** What can be named on a command line in addition to commands and options. */
type KnownNames = { readonly connections: () => Promise<readonly string[]> }

/**
 * A command line that is being typed → the words that can come next.
 *
 * @param words those after `turnleaf`; the last is the one being typed, and may be empty.
 * @returns empty where the name of a file is expected, which shells complete themselves.
 */
async function completionsOf(program: Command, words: readonly string[], names: KnownNames): Promise<Completion[]> {
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

const scripts = {
  bash: `# Completion of turnleaf for bash. Add this line to ~/.bashrc:
#   eval "$(turnleaf completion bash)"
_turnleaf() {
  local IFS=$'\\n' line
  COMPREPLY=()
  while read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(turnleaf complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _turnleaf turnleaf
`,
  zsh: `# Completion of turnleaf for zsh. Add this line to ~/.zshrc, after compinit:
#   eval "$(turnleaf completion zsh)"
_turnleaf() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(turnleaf complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe turnleaf found; else _files; fi
}
compdef _turnleaf turnleaf
`,
  fish: `# Completion of turnleaf for fish. Write it to a file once:
#   turnleaf completion fish > ~/.config/fish/completions/turnleaf.fish
complete -c turnleaf -a '(turnleaf complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
} as const
