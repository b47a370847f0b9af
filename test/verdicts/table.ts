import type { Client } from '../../testing/controlplane/client.ts';

/** Cases of one topic, each with the question of what an API server says of it. */
export interface Table {
  /** Where its record lies in this folder: 'schema/cel/rules' is schema/cel/rules.jsonl. */
  readonly topic: string;
  readonly rows: readonly Row[];
  /**
   * Asks an API server about rows, in the order given. It stores what it must under names of its own.
   * @param indexes Default: all rows
   */
  ask(client: Client, indexes?: readonly number[]): Promise<readonly unknown[]>;
}

export interface Row {
  /** What the case is; no other row of the table says the same. */
  readonly title: string;
  /** What we say that is not what an API server said; undefined where we agree with it. */
  disagreement(verdict: unknown): unknown;
}

/** What most tables record: yes, or no and the places that the API server blames. */
export type Verdict = 'takes' | { readonly refuses: readonly string[] };

/** A table in the terms of its cases and of what the API server says of them. */
export interface Question<Case, V> {
  readonly topic: string;
  readonly cases: readonly Case[];
  describe(one: Case): string;
  ask(client: Client, cases: readonly Case[]): Promise<readonly V[]>;
  disagreement(one: Case, verdict: V): unknown;
}

export function table<Case, V>({ topic, cases, ...question }: Question<Case, V>): Table {
  const names = distinct(cases.map((one) => shortened(question.describe(one))));
  return {
    topic,
    rows: cases.map((one, i) => ({
      title: names[i]!,
      // A record holds what `ask` once gave.
      disagreement: (verdict) => question.disagreement(one, verdict as V),
    })),
    ask: (client, indexes) =>
      question.ask(client, indexes ? indexes.map((index) => cases[index]!) : cases),
  };
}

/** A value in a sentence; JSON has no -0. */
export function shown(value: unknown): string {
  return Object.is(value, -0) ? '-0' : (JSON.stringify(value) ?? 'nothing');
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 150)}... (${text.length} characters)`;
}

/** Of several with one name the second gets ' (2)', and so on. */
function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
