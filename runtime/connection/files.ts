import { readFile } from 'node:fs/promises';
import type { Clock } from '../clock/clock.ts';

/** A text, or the file that holds it, which may be written anew at any time. */
export type TextOrFile = string | { readonly file: string };

/** Milliseconds, as in client-go: kubelets write a token anew when 80% of its time is over. */
const maxAge = 60_000;

interface CachedFile {
  readonly text: string;
  readonly readAt: number;
}

/** Reads files again when what is remembered of them is a minute old. */
export class FileCache {
  readonly #clock: Clock;
  readonly #remembered = new Map<string, CachedFile>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The text, `isNew` as the file has it now. A file that cannot be read any more, or is empty, as while it
   * is written, is as it was, and is read again the next time.
   * @throws {Error} of a file that never could be read, or never held anything
   */
  async read(text: TextOrFile, isNew: boolean): Promise<string> {
    if (typeof text === 'string') return text;
    const known = this.#remembered.get(text.file);
    if (known && !isNew && this.#clock.now() - known.readAt < maxAge) return known.text;
    try {
      const read = await readFile(text.file, 'utf8');
      if (read.trim() === '') throw new Error(`${text.file} must hold something, got nothing`);
      this.#remembered.set(text.file, { text: read, readAt: this.#clock.now() });
      return read;
    } catch (error) {
      if (known) return known.text;
      throw error;
    }
  }
}
