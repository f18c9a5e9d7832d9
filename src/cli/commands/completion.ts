/** `turnleaf completion`: the script that completes commands in a shell, and what it calls while a person types. */
import type { Command } from 'commander'
import { connectionNames, homeFolder } from '../../connections/find-connection.ts'
import { completionsOf } from '../completions.ts'

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
