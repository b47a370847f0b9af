/** Fields of an answer, with nested fields; a list may be limited to a range. */
interface Branch {
  readonly name: string;
  readonly within?: readonly Branch[] | undefined;
  readonly range?: readonly [number, number] | undefined;
}

/**
 * Returns the part of a value that Jenkins returns for `tree=number,actions[parameters[name,value]]{0,10}`. Source:
 * https://www.jenkins.io/doc/book/using/remote-access-api, and the page `/api` of every Jenkins.
 */
export function pruned(value: unknown, tree: string): unknown {
  return cut(value, read(tree));
}

function cut(value: unknown, branches: readonly Branch[]): unknown {
  if (Array.isArray(value)) return value.map((item) => cut(item, branches));
  if (typeof value !== 'object' || value === null) return value;
  const from = value as Readonly<Record<string, unknown>>;
  const kept = branches.flatMap(({ name, within, range }) => {
    if (from[name] === undefined) return [];
    const whole = within ? cut(from[name], within) : from[name];
    return [[name, range && Array.isArray(whole) ? whole.slice(...range) : whole] as const];
  });
  return { _class: from['_class'] ?? 'hudson.model.Thing', ...Object.fromEntries(kept) };
}

function read(tree: string): Branch[] {
  const branches: Branch[] = [];
  let rest = tree;
  while (rest !== '') {
    const name = /^\w+/.exec(rest)?.[0];
    if (name === undefined) throw new Error(`the tree must be valid, got ${tree}`);
    rest = rest.slice(name.length);
    const end = rest.startsWith('[') ? closing(rest) : 0;
    const within = end > 0 ? read(rest.slice(1, end)) : undefined;
    rest = rest.slice(end > 0 ? end + 1 : 0);
    const range = /^\{(\d+),(\d+)\}/.exec(rest);
    rest = rest.slice(range?.[0].length ?? 0).replace(/^,/, '');
    branches.push({
      name,
      within,
      range: range ? [Number(range[1]), Number(range[2])] : undefined,
    });
  }
  return branches;
}

function closing(text: string): number {
  let depth = 0;
  for (const [at, character] of [...text].entries()) {
    depth += character === '[' ? 1 : character === ']' ? -1 : 0;
    if (depth === 0) return at;
  }
  throw new Error(`the bracket must be closed in ${text}`);
}
