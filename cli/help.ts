import type { Command } from 'commander';
import { escapeForTerminal } from '../kube/printable.ts';
import { findNearest } from '../kube/problem.ts';

/** Adds a `help` command that lists the subcommands and suggests a similar one for an unknown name. */
export function withHelp(command: Command): Command {
  command
    .helpCommand(false)
    .command('help')
    .argument('[command...]', 'the command')
    .description('Show the help of a command.')
    .exitOverride()
    .action((names: readonly string[]) => {
      let about = command;
      for (const name of names) {
        const known = about.commands;
        const found = known.find((one) => one.name() === name);
        if (!found) {
          const all = known.map((one) => one.name());
          const meant = findNearest(name, all);
          const hint =
            meant === undefined ? `Commands: ${all.join(', ')}` : `Did you mean ${meant}?`;
          return command.error(`error: unknown command '${escapeForTerminal(name)}'\n(${hint})`);
        }
        about = found;
      }
      return about.outputHelp();
    });
  return command;
}
