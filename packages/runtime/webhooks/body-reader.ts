import type { IncomingMessage } from 'node:http';
import { Refused } from './webhook.ts';

/** Reads the bodies of requests, with a limit of the bytes in memory. */
export class BodyReader {
  readonly #max: number;
  #bytesInMemory = 0;

  /** @param max the most bytes of all bodies that are being read */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * @throws {Refused} 413 for a body of more than `maxBytes` bytes, as soon as that is known; 503 if too many bytes are
   * being read; 400 if it breaks off
   */
  async read(request: IncomingMessage, maxBytes: number): Promise<string> {
    const declaredLength = Number(request.headers['content-length'] ?? 0);
    if (declaredLength > maxBytes) throw createTooLargeError(maxBytes, declaredLength);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#bytesInMemory += chunk.length;
        if (size > maxBytes) throw createTooLargeError(maxBytes, size);
        if (this.#bytesInMemory > this.#max) {
          throw new Refused(503, 'the webhook receives too many requests at once; try again');
        }
        chunks.push(chunk);
      }
    } catch (cause) {
      if (cause instanceof Refused) throw cause;
      throw new Refused(400, 'the body must be whole, and broke off', { cause });
    } finally {
      this.#bytesInMemory -= size;
    }
    return decodeUtf8(Buffer.concat(chunks, size));
  }
}

function createTooLargeError(maxBytes: number, got: number): Refused {
  return new Refused(413, `the body must have at most ${maxBytes} bytes, got ${got} or more`);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Refused(400, 'the body must be UTF-8', { cause });
  }
}
