import type { Command } from 'commander';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { commandTree, type CommandEntry, type LazyCommand } from './commands.ts';
import { addSuggestions, suggestCommand } from './suggestions.ts';

/** Adds all commands to the program, and to it and each group a `help` command. */
export function addCommands(program: Command): void {
  addSuggestions(program);
  const loads = new Map<Command, () => Promise<void>>();
  const load = (command: Command): Promise<void> => loads.get(command)?.() ?? Promise.resolve();
  addEntries(program, commandTree, (command, entry) => {
    const loadEntry = async (): Promise<void> => {
      (await entry.load()).configure(command, load);
      setNegatedDefaults(command);
    };
    loads.set(command, once(loadEntry));
  });
  for (const one of [program, ...program.commands.filter(({ commands }) => commands.length > 0)]) {
    one.hook('preSubcommand', (_parent, command) => load(command));
    addHelp(one, load);
  }
}

function addEntries(
  parent: Command,
  entries: Readonly<Record<string, CommandEntry>>,
  register: (command: Command, entry: LazyCommand) => void,
): void {
  for (const [name, entry] of Object.entries(entries)) {
    const hidden = 'isHidden' in entry && entry.isHidden === true;
    const command = parent.command(name, { hidden }).description(entry.description);
    command.showHelpAfterError(`(see ${formatCommandPath(command)} --help)`);
    addSuggestions(command);
    if ('commands' in entry) addEntries(command, entry.commands, register);
    else register(command, entry);
  }
}

/** Sets the default of `--no-x` to true, as commander does for options that exist before it parses. */
function setNegatedDefaults(command: Command): void {
  for (const option of command.options.filter(({ negate }) => negate)) {
    command.setOptionValueWithSource(option.attributeName(), true, 'default');
  }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= action());
}

/** The words that run a command. */
function formatCommandPath(command: Command): string {
  const { parent } = command;
  return parent ? `${formatCommandPath(parent)} ${command.name()}` : command.name();
}

/** Adds a `help` command that suggests a similar name for an unknown one. */
function addHelp(command: Command, load: (command: Command) => Promise<void>): void {
  command
    .helpCommand(false)
    .command('help')
    .argument('[command...]', 'the command')
    .description('Show the help of a command.')
    .action(async (names: readonly string[]) => {
      let about = command;
      for (const name of names) {
        const found = about.commands.find((one) => one.name() === name);
        if (!found) return command.error(unknownCommand(name, about));
        about = found;
      }
      await load(about);
      return about.outputHelp();
    });
}

function unknownCommand(name: string, group: Command): string {
  const shown = group.createHelp().visibleCommands(group);
  const all = shown.map((one) => one.name());
  const meant = suggestCommand(name, group);
  const hint = meant === undefined ? `Commands: ${all.join(', ')}` : `Did you mean ${meant}?`;
  return `error: unknown command '${escapeForTerminal(name)}'\n(${hint})`;
}
