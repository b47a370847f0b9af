import { maxTextLength, TooLarge } from '../errors/too-large.ts';

/**
 * Yields the lines of a text, each with its line break; a text that ends without one yields its last line without it.
 * @throws {TooLarge} for a line of more than `most` characters
 */
export async function* splitLines(
  chunks: AsyncIterable<string>,
  most = maxTextLength,
): AsyncGenerator<string, void, undefined> {
  // Parts of a long line are joined once instead of with every chunk.
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const line = parts.join('') + chunk.slice(start, end + 1);
      parts = [];
      length = 0;
      start = end + 1;
      yield line;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.slice(start));
    length += chunk.length - start;
    if (length > most) throw new TooLarge(most);
  }
  if (parts.length > 0) yield parts.join('');
}
