import { readFile } from 'node:fs/promises';
import type { Clock } from '../clock/clock.ts';

/** A text, or a file that contains it and may change at any time. */
export type TextOrFile = string | { readonly file: string };

/** Milliseconds, as in client-go. Kubelets renew a token after 80% of its lifetime. */
const maxAge = 60_000;

interface CachedFile {
  readonly text: string;
  readonly readAt: number;
}

/** Caches the content of files for a minute. */
export class FileCache {
  readonly #clock: Clock;
  readonly #remembered = new Map<string, CachedFile>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the text; `isNew` skips the cache. A file that became unreadable or empty, for example while it is being
   * written, keeps its previous content until the next read.
   * @throws {Error} for a file that was never readable or always empty
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
