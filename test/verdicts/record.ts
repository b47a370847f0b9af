import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { versions } from '@tenantry/testing/controlplane/programs';

const newest = versions[0].minor;

/** Verdicts on one case, by minor version of Kubernetes. */
type Verdicts = ReadonlyMap<string, unknown>;

/**
 * Verdicts that API servers gave on the cases of a table. The record has one sorted line of JSON for each case, with
 * the verdict of the newest minor version, and of another one if it differs.
 */
export class RecordedVerdicts {
  readonly #cases: ReadonlyMap<string, Verdicts>;

  private constructor(cases: ReadonlyMap<string, Verdicts>) {
    this.#cases = cases;
  }

  /** Reads the record of a topic; empty if it was never recorded. */
  static read(topic: string): RecordedVerdicts {
    const file = fileOf(topic);
    return RecordedVerdicts.parse(existsSync(file) ? readFileSync(file, 'utf8') : '');
  }

  static parse(text: string): RecordedVerdicts {
    const lines = text.split('\n').filter((line) => line !== '');
    const cases = lines.map((line) => {
      const { case: title, ...verdicts } = JSON.parse(line) as Record<string, unknown>;
      return [String(title), new Map(Object.entries(verdicts))] as const;
    });
    return new RecordedVerdicts(new Map(cases));
  }

  get cases(): readonly string[] {
    return [...this.#cases.keys()];
  }

  /** Returns the verdict on a case; undefined if it was not recorded. */
  of(title: string, minor: string): unknown {
    const verdicts = this.#cases.get(title);
    return verdicts?.get(minor) ?? verdicts?.get(newest);
  }

  /** Returns the record after a minor version was recorded: the answers define its cases. */
  with(minor: string, answers: ReadonlyMap<string, unknown>): RecordedVerdicts {
    const cases = [...answers].map(([title, answer]) => {
      const others = versions
        .filter((version) => version.minor !== minor && this.#cases.has(title))
        .map((version) => [version.minor, this.of(title, version.minor)] as const)
        .filter(([, verdict]) => verdict !== undefined);
      return [title, new Map([...others, [minor, answer]])] as const;
    });
    return new RecordedVerdicts(new Map(cases));
  }

  toString(): string {
    const lines = [...this.#cases]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([title, verdicts]) => {
        const last = verdicts.get(newest);
        const own = versions
          .map(({ minor }) => [minor, verdicts.get(minor)] as const)
          .filter(([minor, verdict]) => minor === newest || !isSame(verdict, last));
        return JSON.stringify({ case: title, ...Object.fromEntries(own) });
      });
    return lines.map((line) => `${line}\n`).join('');
  }

  write(topic: string): void {
    writeFileSync(fileOf(topic), this.toString());
  }
}

/** Whether two verdicts are the same data. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function fileOf(topic: string): string {
  return join(import.meta.dirname, `${topic}.jsonl`);
}
