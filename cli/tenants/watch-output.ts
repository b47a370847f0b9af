import { formatTime } from '@tenantry/kube/time';
import { escapeForTerminal, escapeJsonForTerminal } from '@tenantry/kube/printable';
import type { TenantObserver, Tenants } from './follow-tenants.ts';
import { findOperatorHints } from './operator-hints.ts';
import {
  summarizeTenant,
  sortWorstFirst,
  type LiveTenant,
  type TenantSummary,
  totalsLine,
  countByState,
} from './tenant-summary.ts';
import { formatLine, tableLines, measureWidths } from './table.ts';
import { tenantLines } from './tenant-lines.ts';
import { tenantsTable } from './tenants-table.ts';
import type { Paint } from '../console-output.ts';

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
  readonly #console: WatchConsole;
  readonly #isWide: boolean;
  readonly #name: string | undefined;
  #tenants: Tenants | undefined;
  #interruption: string | undefined;
  #hasChanged = false;
  #drawnAt = -Infinity;

  /** @param name shows the details of this tenant instead of one line per tenant */
  constructor(
    screen: Screen,
    watchConsole: WatchConsole,
    isWide: boolean,
    name: string | undefined,
  ) {
    this.#screen = screen;
    this.#console = watchConsole;
    this.#isWide = isWide;
    this.#name = name;
  }

  listed(tenants: Tenants): void {
    this.#tenants = tenants;
    this.#markChanged();
  }

  changed(): void {
    this.#markChanged();
  }

  gone(): void {
    this.#markChanged();
  }

  interrupted(error: unknown): void {
    this.#interruption = interrupted(error);
    this.#hasChanged = true;
  }

  /** Called when the size of the terminal changed. */
  resized(): void {
    this.#hasChanged = true;
  }

  /** Draws if there are changes, or if the last frame is some seconds old. */
  tick(): void {
    const date = this.#console.now();
    const isStale = this.#tenants !== undefined && date.getTime() - this.#drawnAt >= stale;
    if (!this.#hasChanged && !isStale) return;
    this.#hasChanged = false;
    this.#drawnAt = date.getTime();
    const tenants = [...(this.#tenants?.values() ?? [])];
    const { paint } = this.#console;
    const warn = (text: string): string => `${paint('yellow', 'warning')} ${text}`;
    const foot = [
      '',
      ...findOperatorHints(tenants, date).map(({ message }) => warn(message)),
      ...(this.#interruption === undefined ? [] : [warn(this.#interruption)]),
      paint('dim', `${formatTime(date)}, Ctrl-C ends`),
    ];
    this.#screen.draw(this.#tenants ? this.#lines(tenants, date) : [], foot);
  }

  #markChanged(): void {
    this.#interruption = undefined;
    this.#hasChanged = true;
  }

  #lines(tenants: readonly LiveTenant[], now: Date): readonly string[] {
    const { paint } = this.#console;
    const [one] = tenants;
    if (this.#name !== undefined) {
      return one ? tenantLines(one, now, paint) : [`Tenant ${this.#name} is gone`];
    }
    const summaries = sortWorstFirst(tenants.map(summarizeTenant));
    const table = tenantsTable(summaries, now, { isWide: this.#isWide });
    return [totalsLine(countByState(summaries)), '', ...tableLines(table, paint)];
  }
}

/**
 * Prints all tenants, then each one whose state changes, as a row of a table or as JSON. Changes
 * that are not visible are skipped.
 */
export class TenantLog implements TenantObserver {
  readonly #console: WatchConsole;
  readonly #format: 'table' | 'wide' | 'json';
  readonly #printed = new Map<string, string>();
  #widths: readonly number[] | undefined;

  constructor(watchConsole: WatchConsole, format: 'table' | 'wide' | 'json') {
    this.#console = watchConsole;
    this.#format = format;
  }

  listed(current: Tenants): void {
    const tenants = [...current.values()];
    const summaries = sortWorstFirst(tenants.map(summarizeTenant));
    const names = new Set(summaries.map(({ name }) => name));
    for (const name of this.#printed.keys()) if (!names.has(name)) this.gone(name);
    if (this.#format !== 'json' && !this.#widths) this.#printHead(summaries);
    for (const summary of summaries) this.#print(summary);
    for (const { message } of findOperatorHints(tenants, this.#console.now())) this.#warn(message);
  }

  changed(tenant: LiveTenant): void {
    this.#print(summarizeTenant(tenant));
  }

  gone(name: string): void {
    this.#printed.delete(name);
    if (this.#format === 'json') this.#json({ name, gone: true });
    else this.#console.out(`${escapeForTerminal(name)} is gone`);
  }

  interrupted(error: unknown): void {
    this.#warn(interrupted(error));
  }

  #printHead(summaries: readonly TenantSummary[]): void {
    const table = this.#table(summaries);
    this.#widths = measureWidths(table);
    const { out, paint } = this.#console;
    out(
      formatLine(
        table.head.map((text) => ({ text, style: 'bold' as const })),
        this.#widths,
        paint,
      ),
    );
  }

  #print(summary: TenantSummary): void {
    const serialized = JSON.stringify(summary);
    if (this.#printed.get(summary.name) === serialized) return;
    this.#printed.set(summary.name, serialized);
    if (this.#format === 'json') return this.#json(summary);
    const { out, paint } = this.#console;
    for (const row of this.#table([summary]).rows) out(formatLine(row, this.#widths ?? [], paint));
  }

  #table(summaries: readonly TenantSummary[]) {
    return tenantsTable(summaries, this.#console.now(), { isWide: this.#format === 'wide' });
  }

  #json(value: object): void {
    this.#console.out(escapeJsonForTerminal(JSON.stringify(value)));
  }

  #warn(message: string): void {
    const { err, paintError } = this.#console;
    err(`${paintError('yellow', 'warning')} ${message}`);
  }
}

/** A terminal that shows one frame over the previous one. */
interface Terminal {
  /** The number of visible lines. */
  readonly rows: number;
  write(text: string): void;
}

const HOME = '\u001B[H';
const CLEAR = '\u001B[2J';
const TO_END_OF_LINE = '\u001B[K';
const TO_END_OF_SCREEN = '\u001B[J';
const CUT_LONG_LINES = '\u001B[?7l';
const WRAP_LONG_LINES = '\u001B[?7h';

/**
 * Draws frames of lines, each over the previous one, without flicker. It cuts what exceeds the
 * terminal, and the last line shows how much.
 */
export class Screen {
  readonly #terminal: Terminal;
  #isClear = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** @param foot lines that are shown even on the smallest terminal */
  draw(lines: readonly string[], foot: readonly string[]): void {
    const room = Math.max(1, this.#terminal.rows - 1 - foot.length);
    const shown =
      lines.length <= room
        ? lines
        : [...lines.slice(0, room - 1), `... ${lines.length - room + 1} more lines`];
    const text = [...shown, ...foot].map((line) => `${line}${TO_END_OF_LINE}\n`).join('');
    const start = this.#isClear ? HOME : CLEAR + HOME;
    this.#isClear = true;
    this.#terminal.write(start + CUT_LONG_LINES + text + WRAP_LONG_LINES + TO_END_OF_SCREEN);
  }
}
