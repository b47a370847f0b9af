import { expect, test } from '@jest/globals';
import type { ControllerObserver } from '../../../runtime/controller/observer.ts';
import { combineObservers } from '../../../runtime/manager/observers.ts';
import type { QueueObserver } from '../../../runtime/queue/work-queue.ts';

/** Has private state, as metrics have, so that it must be told as itself. */
class Noting implements Required<ControllerObserver>, Required<QueueObserver> {
  readonly #said: string[];
  readonly #name: string;

  constructor(name: string, said: string[]) {
    this.#name = name;
    this.#said = said;
  }

  queue(...told: unknown[]): QueueObserver {
    this.#note('queue', told);
    return this;
  }
  began(...told: unknown[]): void {
    this.#note('began', told);
  }
  ended(...told: unknown[]): void {
    this.#note('ended', told);
  }
  paused(...told: unknown[]): void {
    this.#note('paused', told);
  }
  handlerFailed(...told: unknown[]): void {
    this.#note('handlerFailed', told);
  }
  added(...told: unknown[]): void {
    this.#note('added', told);
  }
  taken(...told: unknown[]): void {
    this.#note('taken', told);
  }
  finished(...told: unknown[]): void {
    this.#note('finished', told);
  }
  retried(...told: unknown[]): void {
    this.#note('retried', told);
  }
  dropped(...told: unknown[]): void {
    this.#note('dropped', told);
  }

  #note(what: string, told: readonly unknown[]): void {
    this.#said.push(`${this.#name} ${what} ${told.join(' ')}`);
  }
}

test('all are told of everything, in their order, and none must listen', () => {
  const said: string[] = [];
  const all = [new Noting('a', said), undefined, {}, new Noting('b', said)];
  const observer = combineObservers(all);
  const queue = observer.queue?.('shops');
  observer.began?.('shops');
  observer.ended?.('shops', 'done', 5);
  observer.paused?.('shops', 'mall/a', true);
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
    'paused shops mall/a true',
    'handlerFailed shops oops',
    'added mall/a 1',
    'taken mall/a 2',
    'finished mall/a 3',
    'retried mall/a 4 5',
    'dropped 6',
  ];
  expect(said).toEqual(events.flatMap((event) => [`a ${event}`, `b ${event}`]));
});
