import type { ConditionInput } from '../../runtime.ts';

/** Names that are told; of more there is a count. */
const mostNamed = 3;

/**
 * Whether OLM may put another release in the operator's place: not while pods are being replaced, which that release
 * would find half done. A rollout that comes to no end holds nothing back: another release may be what mends it.
 */
export class Upgradeable {
  readonly #tell: (condition: ConditionInput) => void;
  #rolling: Set<string> | undefined;

  constructor(tell: (condition: ConditionInput) => void) {
    this.#tell = tell;
  }

  /** @param all those whose pods are being replaced, asked the first time: later each is told of by itself */
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
