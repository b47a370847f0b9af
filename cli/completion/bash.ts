import type { ValueCompletion, Words } from './command-words.ts';

/** The branches of the `case` statements in the script. */
interface Branches {
  /** What may follow each command. */
  readonly known: readonly string[];
  /** What completes the values of options. */
  readonly values: readonly string[];
  /** What completes first arguments. */
  readonly first: readonly string[];
  /** The options with a value. */
  readonly valued: readonly string[];
}

function buildBranches(words: Words): Branches {
  const known = [...words].map(([path, { commands, options }]) => {
    const all = [...commands, ...options.map(({ flag }) => flag)];
    return `    '${path}') offered='${all.join(' ')}' ;;`;
  });
  const values = [...words].flatMap(([path, { options }]) =>
    options.flatMap(({ flag, value }) =>
      value === undefined || value === 'files'
        ? []
        : [`    '${path} ${flag}') ${formatReply(value)}; return ;;`],
    ),
  );
  const valued = new Set(
    [...words.values()].flatMap(({ options }) =>
      options.flatMap(({ flag, value }) => (value === undefined ? [] : [flag])),
    ),
  );
  const first = [...words].flatMap(([path, { argument }]) =>
    argument === undefined ? [] : [`    '${path} 0') ${formatReply(argument)} ;;`],
  );
  return { known, values, first, valued: [...valued] };
}

/**
 * Formats the script for bash. For zsh, it runs in its emulation of bash completion, in which `path` and `words` are
 * variables of the shell.
 */
export function bashScript(words: Words, shell: 'bash' | 'zsh'): string {
  const { known, values, first, valued } = buildBranches(words);
  const emulation =
    'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n';
  return `${shell === 'zsh' ? emulation : ''}_tenantry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local route='' offered='' word option='' place='' given=0 found
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$option" in
      --tenants) place="$word"; option=''; continue ;;
      ${valued.filter((flag) => flag !== '--tenants').join('|')}) option=''; continue ;;
    esac
    option="$word"
    case "$word" in -*) continue ;; esac
    option=''
    route="\${route:+$route }$word"
  done
  while :; do
    case "$route" in
${known.join('\n')}
    esac
    if [ -n "$offered" ] || [ -z "$route" ]; then break; fi
    given=$((given + 1))
    case "$route" in *' '*) route="\${route% *}" ;; *) route='' ;; esac
  done
  case "$route $before" in
${values.join('\n')}
  esac
  case "$before" in
    ${valued.join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "$current" in
    -*) ;;
    *) case "$route $given" in
${first.join('\n')}
    esac ;;
  esac
  found=$(compgen -W "$offered" -- "$current")
  COMPREPLY=("\${COMPREPLY[@]}" $found)
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _tenantry tenantry
`;
}

/** Formats the command that replies with the values; names come from the declarations of the folder that is named. */
function formatReply(value: ValueCompletion): string {
  if (value === 'folders') return 'COMPREPLY=($(compgen -d -- "$current"))';
  if (value === 'files') return 'COMPREPLY=($(compgen -f -- "$current"))';
  if (typeof value === 'object') {
    return `COMPREPLY=($(compgen -W '${value.words.join(' ')}' -- "$current"))`;
  }
  const names = `"\${COMP_WORDS[0]}" names ${value} \${place:+--tenants "$place"} 2>/dev/null`;
  return `COMPREPLY=($(compgen -W "$(${names})" -- "$current"))`;
}
