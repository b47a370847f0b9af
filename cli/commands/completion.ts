import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { collectWords } from '../completion/command-words.ts';
import { fishScript } from '../completion/fish.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** `tenantry completion`: prints a script that completes commands, options and names of tenants. */
export function configure(command: Command, load: (command: Command) => Promise<void>): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
The script completes commands, options, values of options, files and folders. Names of tenants are read from
the declarations when you press Tab.

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
