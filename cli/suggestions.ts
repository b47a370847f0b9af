import type { Command } from 'commander';
import { findNearest } from '@tenantry/kube/problem';

/** Names of other tools for our commands, by the group in which they are commands. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tenantry: {
    validate: 'check',
    verify: 'check',
    lint: 'check',
    test: 'check',
    render: 'synth',
    build: 'synth',
    generate: 'synth',
    gen: 'synth',
    template: 'synth',
    compile: 'synth',
    diff: 'plan',
    preview: 'plan',
    get: 'tenant list',
    ls: 'tenant list',
    deploy: 'promote',
    release: 'promote',
  },
  tenant: { get: 'list', ls: 'list', show: 'status', describe: 'status' },
  crd: { validate: 'check', lint: 'check', compare: 'diff' },
  bundle: { check: 'validate', lint: 'validate', compare: 'diff' },
  catalog: { check: 'validate', lint: 'validate', build: 'render' },
};

/** Options of other tools, with ours or the command that does it. The first that the command has is suggested. */
const OPTIONS: Readonly<Record<string, string>> = {
  '--dry-run': 'tenantry check',
  '--dryrun': 'tenantry check',
  '--check': 'tenantry check',
  '--validate': 'tenantry check',
  '--diff': 'tenantry plan',
  '-o': '--out',
  '--outdir': '--out',
  '--output-dir': '--out',
  '--output-folder': '--out',
  '-f': '--tenants',
  '--file': '--tenants',
  '--input': '--tenants',
  '--config': '--platform',
  '--strict': '--warnings-as-errors',
  '--silent': '--quiet',
  '-q': '--quiet',
  '--format': '--output',
  '--json': '--output json',
};

/**
 * Returns the command that an unknown name most likely means, as it is written in its group: by its name in other tools,
 * by spelling, or as the command of another group. Undefined if there is none.
 */
export function suggestCommand(name: string, group: Command): string | undefined {
  const known = group.commands.map((one) => one.name());
  const synonym = Object.entries(COMMANDS[group.name()] ?? {}).find(([other]) => other === name);
  if (synonym) return synonym[1];
  const inGroups = group.commands.flatMap((one) =>
    one.commands
      .filter((inner) => inner.name() === name && name !== 'help')
      .map((inner) => `${one.name()} ${inner.name()}`),
  );
  return findNearest(name, known) ?? (inGroups.length > 0 ? inGroups.join(' or ') : undefined);
}

/** Returns what an unknown option of a command most likely means. Undefined if nothing is known. */
export function suggestOption(flag: string, command: Command): string | undefined {
  const [name = flag] = flag.split('=');
  const known = command.options.flatMap(({ long }) => long ?? []);
  const nearest = name.startsWith('--') ? findNearest(name, [...known, '--help']) : undefined;
  if (nearest !== undefined) return nearest;
  const other = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (other === undefined) return undefined;
  const isOfCommand = known.includes(other.split(' ')[0]!);
  // Only these commands render, so that the others are alternatives to them.
  return isOfCommand || (!other.startsWith('-') && command.name() === 'synth') ? other : undefined;
}

/** Adds a suggestion to the errors about unknown commands and options of a command. */
export function addSuggestions(command: Command): void {
  command.showSuggestionAfterError(false).configureOutput({
    outputError: (text, write) => {
      const hint = formatSuggestion(text, command);
      write(hint === undefined ? text : `${text.trimEnd()}\n(${hint})\n`);
    },
  });
}

function formatSuggestion(text: string, command: Command): string | undefined {
  const [, what, name] = /^error: unknown (command|option) '(.*)'\n?$/s.exec(text) ?? [];
  if (name === undefined) return undefined;
  const meant = what === 'command' ? suggestCommand(name, command) : suggestOption(name, command);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  // The help of the program does not list them.
  const isOfProgram = what === 'option' && command.parent === null;
  return isOfProgram
    ? 'The options of a command follow its name, as in tenantry synth --out dist'
    : undefined;
}
