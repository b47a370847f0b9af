/** The lines of a text, each with its line break; one that the text ends without stands at the end. */
export async function* linesOf(
  chunks: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  // Parts of a long line are joined once, not anew with every chunk.
  let parts: string[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const line = parts.join('') + chunk.slice(start, end + 1);
      parts = [];
      start = end + 1;
      yield line;
    }
    if (start < chunk.length) parts.push(chunk.slice(start));
  }
  if (parts.length > 0) yield parts.join('');
}
