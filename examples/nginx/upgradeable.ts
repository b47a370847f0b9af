import type { ConditionInput } from '../../runtime.ts';

/** The most names in the message; it counts the others. */
const mostNamed = 3;

/**
 * Reports whether OLM may replace the operator. It may not while pods are being replaced, as the next
 * release would find a rollout half done. A rollout that cannot finish does not block it, as the next
 * release may be the fix.
 */
export class Upgradeable {
  readonly #tell: (condition: ConditionInput) => void;
  #rolling: Set<string> | undefined;

  constructor(tell: (condition: ConditionInput) => void) {
    this.#tell = tell;
  }

  /**
   * @param all lists all NginxOperators whose pods are being replaced. It is called once; later, each
   * call of `look` reports one.
   */
  look(name: string, isRollingOut: boolean, all: () => Iterable<string>): void {
    this.#rolling ??= new Set(all());
    if (isRollingOut) this.#rolling.add(name);
    else this.#rolling.delete(name);
    this.#tell(upgradeableOf([...this.#rolling]));
  }

  gone(name: string): void {
    if (this.#rolling?.delete(name)) this.#tell(upgradeableOf([...this.#rolling]));
  }
}

function upgradeableOf(rolling: readonly string[]): ConditionInput {
  const type = 'Upgradeable';
  if (rolling.length === 0) return { type, status: 'True', reason: 'RolledOut', message: '' };
  const named = rolling.toSorted().slice(0, mostNamed).join(', ');
  const more = rolling.length - mostNamed;
  const message = `pods are being replaced of ${named}${more > 0 ? ` and ${more} more` : ''}`;
  return { type, status: 'False', reason: 'RollingOut', message };
}
