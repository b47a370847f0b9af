import { escapeForTerminal, escapeJsonForTerminal } from '@tenantry/kube/printable';
import type { TenantObserver, Tenants } from './following.ts';
import { hintsOf } from './hints.ts';
import type { Screen } from './screen.ts';
import {
  summarizeTenant,
  sortWorstFirst,
  type LiveTenant,
  type TenantSummary,
} from './standing.ts';
import { lineOf, tableLines, widthsOf } from './table.ts';
import { tenantLines } from './tenant-lines.ts';
import { tenantsTable } from './tenants-table.ts';
import { totalsLine, countByState } from './totals.ts';
import type { Paint } from '../words.ts';

/** The outputs of a watch. */
export interface WatchConsole {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  readonly paint: Paint;
  /** Colors for `err`. */
  readonly paintError: Paint;
  readonly now: () => Date;
}

const interrupted = (error: unknown): string =>
  `the watch was interrupted and is retried: ${escapeForTerminal(error instanceof Error ? error.message : String(error))}`;

/** Milliseconds after which the screen is redrawn, because the ages in it change. */
const stale = 5000;

/** Draws the state of tenants. All changes since the last `tick` appear in one frame. */
export class TenantScreen implements TenantObserver {
  readonly #screen: Screen;
  readonly #telling: WatchConsole;
  readonly #isWide: boolean;
  readonly #name: string | undefined;
  #tenants: Tenants | undefined;
  #trouble: string | undefined;
  #isNews = false;
  #drawnAt = -Infinity;

  /** @param name shows the details of this tenant instead of one line per tenant */
  constructor(screen: Screen, telling: WatchConsole, isWide: boolean, name: string | undefined) {
    this.#screen = screen;
    this.#telling = telling;
    this.#isWide = isWide;
    this.#name = name;
  }

  listed(tenants: Tenants): void {
    this.#tenants = tenants;
    this.#hear();
  }

  changed(): void {
    this.#hear();
  }

  gone(): void {
    this.#hear();
  }

  interrupted(error: unknown): void {
    this.#trouble = interrupted(error);
    this.#isNews = true;
  }

  /** Called when the size of the terminal changed. */
  resized(): void {
    this.#isNews = true;
  }

  /** Draws if there are changes, or if the last frame is some seconds old. */
  tick(): void {
    const date = this.#telling.now();
    const isStale = this.#tenants !== undefined && date.getTime() - this.#drawnAt >= stale;
    if (!this.#isNews && !isStale) return;
    this.#isNews = false;
    this.#drawnAt = date.getTime();
    const tenants = [...(this.#tenants?.values() ?? [])];
    const { paint } = this.#telling;
    const warn = (text: string): string => `${paint('yellow', 'warning')} ${text}`;
    const foot = [
      '',
      ...hintsOf(tenants, date).map(({ message }) => warn(message)),
      ...(this.#trouble === undefined ? [] : [warn(this.#trouble)]),
      paint('dim', `${date.toISOString().replace(/\.\d+Z$/, 'Z')}, Ctrl-C ends`),
    ];
    this.#screen.draw(this.#tenants ? this.#lines(tenants, date) : [], foot);
  }

  #hear(): void {
    this.#trouble = undefined;
    this.#isNews = true;
  }

  #lines(tenants: readonly LiveTenant[], now: Date): readonly string[] {
    const { paint } = this.#telling;
    const [one] = tenants;
    if (this.#name !== undefined) {
      return one ? tenantLines(one, now, paint) : [`Tenant ${this.#name} is gone`];
    }
    const standings = sortWorstFirst(tenants.map(summarizeTenant));
    const table = tenantsTable(standings, now, { isWide: this.#isWide });
    return [totalsLine(countByState(standings)), '', ...tableLines(table, paint)];
  }
}

/**
 * Prints all tenants, then each one whose state changes, as a row of a table or as JSON. Changes
 * that are not visible are skipped.
 */
export class TenantLog implements TenantObserver {
  readonly #telling: WatchConsole;
  readonly #format: 'table' | 'wide' | 'json';
  readonly #printed = new Map<string, string>();
  #widths: readonly number[] | undefined;

  constructor(telling: WatchConsole, format: 'table' | 'wide' | 'json') {
    this.#telling = telling;
    this.#format = format;
  }

  listed(held: Tenants): void {
    const tenants = [...held.values()];
    const standings = sortWorstFirst(tenants.map(summarizeTenant));
    const names = new Set(standings.map(({ name }) => name));
    for (const name of this.#printed.keys()) if (!names.has(name)) this.gone(name);
    if (this.#format !== 'json' && !this.#widths) this.#printHead(standings);
    for (const standing of standings) this.#print(standing);
    for (const { message } of hintsOf(tenants, this.#telling.now())) this.#warn(message);
  }

  changed(tenant: LiveTenant): void {
    this.#print(summarizeTenant(tenant));
  }

  gone(name: string): void {
    this.#printed.delete(name);
    if (this.#format === 'json') this.#json({ name, gone: true });
    else this.#telling.out(`${escapeForTerminal(name)} is gone`);
  }

  interrupted(error: unknown): void {
    this.#warn(interrupted(error));
  }

  #printHead(standings: readonly TenantSummary[]): void {
    const table = this.#table(standings);
    this.#widths = widthsOf(table);
    const { out, paint } = this.#telling;
    out(
      lineOf(
        table.head.map((text) => ({ text, style: 'bold' as const })),
        this.#widths,
        paint,
      ),
    );
  }

  #print(standing: TenantSummary): void {
    const serialized = JSON.stringify(standing);
    if (this.#printed.get(standing.name) === serialized) return;
    this.#printed.set(standing.name, serialized);
    if (this.#format === 'json') return this.#json(standing);
    const { out, paint } = this.#telling;
    for (const row of this.#table([standing]).rows) out(lineOf(row, this.#widths ?? [], paint));
  }

  #table(standings: readonly TenantSummary[]) {
    return tenantsTable(standings, this.#telling.now(), { isWide: this.#format === 'wide' });
  }

  #json(value: object): void {
    this.#telling.out(escapeJsonForTerminal(JSON.stringify(value)));
  }

  #warn(message: string): void {
    const { err, paintError } = this.#telling;
    err(`${paintError('yellow', 'warning')} ${message}`);
  }
}
