import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** The words that may follow each command, by its path (`svc metadata`), aliases included. */
function wordsByPath(program: Command): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, readonly string[]>()
  const globals = flagsOf(program)
  const walk = (command: Command, paths: readonly string[]) => {
    const subcommands = command.commands.flatMap((one) => [one.name(), ...one.aliases()])
    const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? [])
    for (const path of paths)
      words.set(path, [...new Set([...subcommands, ...choices, ...flagsOf(command), ...globals])])
    for (const one of command.commands)
      walk(
        one,
        paths.flatMap((path) => [one.name(), ...one.aliases()].map((name) => `${path} ${name}`)),
      )
  }
  walk(program, [program.name()])
  return words
}

const flagsOf = (command: Command) => command.options.flatMap(({ long }) => (long ? [long] : []))

/** A script that offers the commands and flags of `program`. */
export function completionScript(shell: Shell, program: Command): string {
  const table = [...wordsByPath(program)]
  switch (shell) {
    case 'bash':
      return bash(table)
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bash(table)}`
    case 'fish':
      return fish(table)
    case 'powershell':
      return powershell(table)
  }
}

type Table = readonly (readonly [string, readonly string[]])[]

const bash = (table: Table) => `_svc() {
  local path="svc" word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ "$word" == -* ]] || path="$path $word"
  done
  local words=""
  case "$path" in
${table.map(([path, words]) => `    "${path}") words="${words.join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _svc svc`

const fish = (table: Table) => `function __svc_path
  set -l words
  for word in (commandline -opc)
    string match -q -- '-*' $word; or set -a words $word
  end
  echo $words
end
${table.map(([path, words]) => `complete -c svc -n 'test (__svc_path) = "${path}"' -a '${words.join(' ')}'`).join('\n')}`

const powershell = (table: Table) => `Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $table = @{
${table.map(([path, words]) => `    '${path}' = @(${words.map((word) => `'${word}'`).join(', ')})`).join('\n')}
  }
  $path = @($commandAst.CommandElements | ForEach-Object { "$_" } | Where-Object { $_ -notlike '-*' })
  if ($wordToComplete -and $path.Count -gt 1 -and $path[-1] -eq $wordToComplete) { $path = $path[0..($path.Count - 2)] }
  $path[0] = 'svc'
  $table[$path -join ' '] | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`
