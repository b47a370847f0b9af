import type { ValueCompletion, Words } from './command-words.ts';

/** Formats the script for fish: one line for each word. */
export function fishScript(words: Words): string {
  const lines = [...words].flatMap(([path, { commands, options, argument }]) => {
    const condition = path === '' ? '__fish_use_subcommand' : fishCondition(path.split(' '), words);
    const begin = `complete -c tenantry -n '${condition}'`;
    return [
      ...commands.map((name) => `${begin} -f -a ${name}`),
      ...options.map(({ flag, value }) => {
        const option = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
        return `${begin} ${option}${value === undefined ? '' : ` ${formatValue(value)}`}`;
      }),
      ...(argument === undefined || argument === 'files'
        ? []
        : [`${begin} ${formatArgument(argument)}`]),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function formatValue(value: ValueCompletion): string {
  return value === 'files' ? '-r -F' : `-x -a ${formatWords(value)}`;
}

function formatArgument(value: ValueCompletion): string {
  return `-f -a ${formatWords(value)}`;
}

function formatWords(value: ValueCompletion): string {
  if (typeof value === 'object') return `'${value.words.join(' ')}'`;
  if (value === 'folders') return "'(__fish_complete_directories)'";
  return `'(tenantry names ${value} 2>/dev/null)'`;
}

/** After these commands, and after none of the commands below the last of them. */
function fishCondition(path: readonly string[], words: Words): string {
  const below = words.get(path.join(' '))?.commands ?? [];
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const unseen = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(' ')}`];
  return [...seen, ...unseen].join('; and ');
}
