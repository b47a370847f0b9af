import type { OutputCommit } from './output-history.ts';

/**
 * Finds the commits that each merge brought to a branch's own line: those that no earlier commit of the line has.
 * @param tip the newest commit of the line
 * @param parents of all commits of the range
 * @param single all commits of the range that are no merges, newest first
 * @returns the commits by that of the line, newest first
 */
export function findMergedCommits(
  tip: string,
  parents: ReadonlyMap<string, readonly string[]>,
  single: readonly OutputCommit[],
): ReadonlyMap<string, readonly OutputCommit[]> {
  const byId = new Map(single.map((commit, order) => [commit.id, { commit, order }]));
  const found = new Map<string, readonly OutputCommit[]>();
  const seen = new Set<string>();
  for (const id of listLine(tip, parents).toReversed()) {
    seen.add(id);
    const own: { readonly commit: OutputCommit; readonly order: number }[] = [];
    const pending = (parents.get(id) ?? []).slice(1);
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      if (seen.has(one)) continue;
      seen.add(one);
      const known = byId.get(one);
      if (known) own.push(known);
      pending.push(...(parents.get(one) ?? []));
    }
    if (own.length > 0) {
      found.set(
        id,
        own.toSorted((a, b) => a.order - b.order).map(({ commit }) => commit),
      );
    }
  }
  return found;
}

/** Returns the commits of the line in the range, the newest first. */
function listLine(tip: string, parents: ReadonlyMap<string, readonly string[]>): string[] {
  const line: string[] = [];
  for (let id: string | undefined = tip; id !== undefined && parents.has(id);) {
    line.push(id);
    id = parents.get(id)?.[0];
  }
  return line;
}
