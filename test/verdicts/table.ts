import type { Client } from '@tenantry/testing/controlplane/client';

/** The cases of one topic, each with a function that requests the API server's verdict. */
export interface Table {
  /** The path of the record in this folder: 'schema/cel/rules' is schema/cel/rules.jsonl. */
  readonly topic: string;
  readonly rows: readonly Row[];
  /**
   * Requests the API server's verdicts on rows, in the given order. It stores what is necessary under names of its own.
   * @param indexes Default: all rows
   */
  ask(client: Client, indexes?: readonly number[]): Promise<readonly unknown[]>;
}

export interface Row {
  /** The title of the case, unique in the table. */
  readonly title: string;
  /** Returns how our verdict differs from a verdict of an API server; undefined if both agree. */
  disagreement(verdict: unknown): unknown;
}

/** The verdict that most tables record: accepted, or refused with the paths that the API server reports. */
export type Verdict = 'takes' | { readonly refuses: readonly string[] };

/** A table in terms of its cases and of the API server's verdicts on them. */
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
      // A record contains what `ask` once returned.
      disagreement: (verdict) => question.disagreement(one, verdict as V),
    })),
    ask: (client, indexes) =>
      question.ask(client, indexes ? indexes.map((index) => cases[index]!) : cases),
  };
}

/** Formats a value for a sentence; JSON has no -0. */
export function shown(value: unknown): string {
  return Object.is(value, -0) ? '-0' : (JSON.stringify(value) ?? 'nothing');
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 150)}... (${text.length} characters)`;
}

/** Makes names unique: the second of several equal ones gets ' (2)', and so on. */
function distinct(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
