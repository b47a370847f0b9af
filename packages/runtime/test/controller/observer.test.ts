import { expect, test } from '@jest/globals';
import { combineObservers, type ControllerObserver } from '../../controller/observer.ts';
import type { QueueObserver } from '../../queue/work-queue.ts';

/** An observer with private fields, as metrics have, so that its methods must be called on the observer itself. */
class Noting implements Required<ControllerObserver>, Required<QueueObserver> {
  readonly #lines: string[];
  readonly #name: string;

  constructor(name: string, lines: string[]) {
    this.#name = name;
    this.#lines = lines;
  }

  queue(...args: unknown[]): QueueObserver {
    this.#note('queue', args);
    return this;
  }
  began(...args: unknown[]): void {
    this.#note('began', args);
  }
  ended(...args: unknown[]): void {
    this.#note('ended', args);
  }
  paused(...args: unknown[]): void {
    this.#note('paused', args);
  }
  resumed(...args: unknown[]): void {
    this.#note('resumed', args);
  }
  handlerFailed(...args: unknown[]): void {
    this.#note('handlerFailed', args);
  }
  added(...args: unknown[]): void {
    this.#note('added', args);
  }
  taken(...args: unknown[]): void {
    this.#note('taken', args);
  }
  finished(...args: unknown[]): void {
    this.#note('finished', args);
  }
  retried(...args: unknown[]): void {
    this.#note('retried', args);
  }
  dropped(...args: unknown[]): void {
    this.#note('dropped', args);
  }

  #note(what: string, args: readonly unknown[]): void {
    this.#lines.push(`${this.#name} ${what} ${args.join(' ')}`);
  }
}

test('all observers are notified of everything, in order, and every method is optional', () => {
  const lines: string[] = [];
  const all = [new Noting('a', lines), undefined, {}, new Noting('b', lines)];
  const observer = combineObservers(all);
  const queue = observer.queue?.('shops');
  observer.began?.('shops');
  observer.ended?.('shops', 'done', 5);
  observer.paused?.('shops', 'mall/a');
  observer.resumed?.('shops', 'mall/a');
  observer.handlerFailed?.('shops', 'oops');
  queue?.added?.('mall/a', 1);
  queue?.taken?.('mall/a', 2);
  queue?.finished?.('mall/a', 3);
  queue?.retried?.('mall/a', 4, 5);
  queue?.dropped?.(6);
  const events = [
    'queue shops',
    'began shops',
    'ended shops done 5',
    'paused shops mall/a',
    'resumed shops mall/a',
    'handlerFailed shops oops',
    'added mall/a 1',
    'taken mall/a 2',
    'finished mall/a 3',
    'retried mall/a 4 5',
    'dropped 6',
  ];
  expect(lines).toEqual(events.flatMap((event) => [`a ${event}`, `b ${event}`]));
});
