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
