import { Argument, type Command } from 'commander';

type Shell = 'bash' | 'zsh' | 'fish';

/** `tenantry completion`: prints a script that completes commands and options. */
export function configure(command: Command, load: (command: Command) => Promise<void>): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  tenantry completion bash > ~/.local/share/bash-completion/completions/tenantry
  tenantry completion zsh >> ~/.zshrc
  tenantry completion fish > ~/.config/fish/completions/tenantry.fish

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (shell: Shell) => {
      const words = await collectWords(command.parent!, load);
      process.stdout.write(shell === 'fish' ? fishScript(words) : bashScript(words, shell));
    });
}

/** The words that may follow a command, by the path of the command: `''`, `crd`, `crd diff`. */
type Words = ReadonlyMap<string, readonly string[]>;

async function collectWords(
  root: Command,
  load: (command: Command) => Promise<void>,
): Promise<Words> {
  const words = new Map<string, readonly string[]>();
  const collect = async (command: Command, path: readonly string[]): Promise<void> => {
    await load(command);
    const options = command.options
      .filter(({ hidden }) => !hidden)
      .flatMap(({ long, short }) => long ?? short ?? []);
    const names = command.commands.map((one) => one.name());
    words.set(path.join(' '), [...names, ...options, '--help']);
    for (const one of command.commands) await collect(one, [...path, one.name()]);
  };
  await collect(root, []);
  return words;
}

/** For zsh, the script runs in its emulation of bash completion. */
function bashScript(words: Words, shell: 'bash' | 'zsh'): string {
  const cases = [...words].map(([path, some]) => `    '${path}') words='${some.join(' ')}' ;;`);
  const emulation =
    'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n';
  return `${shell === 'zsh' ? emulation : ''}_tenantry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    path="\${path:+$path }$word"
  done
  while :; do
    case "$path" in
${cases.join('\n')}
    esac
    if [ -n "$words" ] || [ -z "$path" ]; then break; fi
    case "$path" in *' '*) path="\${path% *}" ;; *) path='' ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _tenantry tenantry
`;
}

function fishScript(words: Words): string {
  const lines = [...words].flatMap(([path, some]) => {
    const condition = path === '' ? '__fish_use_subcommand' : fishCondition(path.split(' '), words);
    return some.map((word) => {
      const option = word.startsWith('--') ? `-l ${word.slice(2)}` : `-o ${word.slice(1)}`;
      return `complete -c tenantry -n '${condition}' ${word.startsWith('-') ? option : `-f -a ${word}`}`;
    });
  });
  return `${lines.join('\n')}\n`;
}

/** After these commands, and after none of the commands below the last of them. */
function fishCondition(path: readonly string[], words: Words): string {
  const below = (words.get(path.join(' ')) ?? []).filter((word) => !word.startsWith('-'));
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const unseen = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(' ')}`];
  return [...seen, ...unseen].join('; and ');
}
