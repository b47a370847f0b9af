import type { IncomingMessage } from 'node:http';
import { maxTextLength, TooLarge } from '../errors/too-large.ts';

/**
 * Reads the whole body, by events: the iterator of a stream would create promises for each chunk. Rejects with
 * `TooLarge` for more than `most` characters.
 */
export function readBody(
  response: IncomingMessage,
  signal: AbortSignal,
  most = maxTextLength,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let isOver = false;
    const add = (chunk: string): void => {
      text += chunk;
      if (text.length <= most) return;
      text = '';
      reject(new TooLarge(most));
      response.destroy();
    };
    const breakOff = (): void => {
      if (!isOver) reject(new Error('aborted'));
    };
    response.setEncoding('utf8').on('data', add);
    response.on('end', () => {
      isOver = true;
      // Node discards the rest of an aborted answer, which then ends normally.
      if (signal.aborted) reject(signal.reason);
      else resolve(text);
    });
    response.on('error', reject);
    response.on('close', breakOff);
    if (response.destroyed) breakOff();
  });
}

/** Parses the warnings of the server: `299 - "the text"`, in which quotes are escaped with a backslash. */
export function parseWarnings({ headers, rawHeaders }: IncomingMessage): string[] {
  if (headers['warning'] === undefined) return [];
  return rawHeaders.flatMap((value, i) =>
    i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'warning'
      ? [...value.matchAll(/\b299 \S+ "((?:\\.|[^"\\])*)"/g)].map(([, text = '']) =>
          text.replaceAll(/\\(.)/g, '$1'),
        )
      : [],
  );
}
