import type { Command, Option } from 'commander';

/** What completes a value: one of some words, a declared name, or a path. */
export type ValueCompletion =
  { readonly words: readonly string[] } | 'tenants' | 'classes' | 'folders' | 'files';

/** An option of a command. */
export interface OptionWords {
  /** `--output`, or `-C` for one without a long form. */
  readonly flag: string;
  /** What completes its value; absent for an option without one. */
  readonly value?: ValueCompletion;
}

/** What may follow a command. */
export interface CommandWords {
  readonly commands: readonly string[];
  readonly options: readonly OptionWords[];
  /** What completes the first argument; absent if it has none, or any. */
  readonly argument?: ValueCompletion;
}

/** The words of each command, by its path: `''`, `crd`, `crd diff`. */
export type Words = ReadonlyMap<string, CommandWords>;

/** Collects what may follow each command. Hidden commands and options are left out. */
export async function collectWords(
  root: Command,
  load: (command: Command) => Promise<void>,
): Promise<Words> {
  const words = new Map<string, CommandWords>();
  const collect = async (command: Command, path: readonly string[]): Promise<void> => {
    await load(command);
    const visible = command.createHelp().visibleCommands(command);
    const commands = visible.filter((one) => command.commands.includes(one));
    const [first] = command.registeredArguments;
    const argument = first && completeValue(first.name(), first.argChoices);
    words.set(path.join(' '), {
      commands: commands.map((one) => one.name()),
      options: [
        ...command.options.filter(({ hidden }) => !hidden).flatMap(describeOption),
        { flag: '--help' },
      ],
      ...(argument !== undefined && argument !== 'files' && { argument }),
    });
    for (const one of commands) await collect(one, [...path, one.name()]);
  };
  await collect(root, []);
  return words;
}

function describeOption({ long, short, flags, argChoices }: Option): OptionWords[] {
  const flag = long ?? short;
  if (flag === undefined) return [];
  const name = /[<[]([^>\]]+)/.exec(flags)?.[1];
  return [name === undefined ? { flag } : { flag, value: completeValue(name, argChoices) }];
}

function completeValue(name: string, choices: readonly string[] | undefined): ValueCompletion {
  if (choices) return { words: choices };
  if (name === 'tenant') return 'tenants';
  if (name === 'class') return 'classes';
  return name === 'dir' || name === 'folder' ? 'folders' : 'files';
}
