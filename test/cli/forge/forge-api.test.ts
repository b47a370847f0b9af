import { expect, test } from '@jest/globals';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ForgeApi } from '../../../cli/forge/forge-api.ts';
import { ForgeError } from '../../../cli/forge/forge-error.ts';

const TOKEN = 'ghs-secret';

interface Seen {
  readonly api: ForgeApi;
  readonly url: string;
  readonly waits: number[];
  readonly requests: string[];
}

/** Runs a test with a client of a server that answers like this, and a clock at which nobody waits. */
async function withServer(answer: RequestListener, body: (seen: Seen) => Promise<void>) {
  const waits: number[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = {
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    wait: (milliseconds: number) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
  };
  try {
    await body({
      api: new ForgeApi({ name: 'GitHub', url, token: TOKEN }, clock),
      url,
      waits,
      requests,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Answers each request with the next of these, and then with the last one. */
function inTurn(
  ...replies: readonly { status: number; headers?: Record<string, string>; text?: string }[]
): RequestListener {
  let at = 0;
  return (_request, response) => {
    const { status, headers, text = '{}' } = replies[Math.min(at++, replies.length - 1)]!;
    response.writeHead(status, headers).end(text);
  };
}

async function failureOf(run: () => Promise<unknown>): Promise<ForgeError> {
  const error: unknown = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ForgeError);
  return error as ForgeError;
}

test('a request to a busy forge is repeated when the forge allows it', async () => {
  const busy = inTurn(
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' } },
    { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225611' } },
    { status: 200, text: '{"id":1}' },
  );
  await withServer(busy, async ({ api, waits }) => {
    expect(await api.get('/user')).toEqual({ id: 1 });
    expect(waits).toEqual([7000, 9000, 11_000]);
  });
});

test('a forge that stays busy is an error after four requests', async () => {
  await withServer(
    inTurn({ status: 500, text: '{"message":"oops"}' }),
    async ({ api, waits, requests }) => {
      const error = await failureOf(() => api.get('/user'));
      expect(error.message).toBe('GitHub GET /user: 500: oops');
      expect([error.isUserError, error.isDenied]).toEqual([false, false]);
      expect([waits, requests.length]).toEqual([[1000, 2000, 4000], 4]);
    },
  );
});

test('a wait of more than a minute is an error at once, and no lack of rights', async () => {
  const limited = inTurn({
    status: 403,
    headers: { 'retry-after': '3600' },
    text: '{"message":"rate limit"}',
  });
  await withServer(limited, async ({ api, waits }) => {
    const error = await failureOf(() => api.get('/user'));
    expect(error.message).toBe(
      'GitHub GET /user: 403: rate limit; it accepts requests again in 3600 s',
    );
    expect([error.isDenied, waits]).toEqual([false, []]);
  });
});

test.each([401, 403, 404])(
  '%i is an error that the user can correct, without a repetition',
  async (status) => {
    await withServer(inTurn({ status, text: '<html>' }), async ({ api, requests }) => {
      const error = await failureOf(() => api.send('POST', '/comments', { body: 'text' }));
      expect(error.message).toBe(`GitHub POST /comments: ${status}`);
      expect([error.isUserError, error.isDenied, requests.length]).toEqual([true, true, 1]);
    });
  },
);

test('the token is in no message, even if the forge repeats it', async () => {
  const echo: RequestListener = (request, response) => {
    const message = `bad header ${request.headers.authorization}`;
    response.writeHead(422).end(JSON.stringify({ message }));
  };
  await withServer(echo, async ({ api }) => {
    const { message } = await failureOf(() => api.get('/user'));
    expect(message).toContain('bad header Bearer ***');
    expect(message).not.toContain(TOKEN);
  });
});

test('neither a next page nor a redirect leads the token to another server', async () => {
  let calls = 0;
  await withServer(
    (_request, response) => {
      calls++;
      response.end('[]');
    },
    async ({ url: other }) => {
      const link = { link: `<${other}/next>; rel="next"` };
      await withServer(inTurn({ status: 200, headers: link, text: '[]' }), async ({ api }) => {
        const { message } = await failureOf(() => api.list('/reviews'));
        expect(message).toContain('got a next page on another server');
      });
      const location = { location: `${other}/next` };
      await withServer(inTurn({ status: 302, headers: location, text: '' }), async ({ api }) => {
        expect((await failureOf(() => api.get('/reviews'))).message).toBe(
          'GitHub GET /reviews: 302',
        );
      });
      expect(calls).toBe(0);
    },
  );
});

test('a list without an end is an error after a hundred pages', async () => {
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200, { link: '</reviews?page=2>; rel="next"' }).end('[{}]');
  };
  await withServer(endless, async ({ api, requests }) => {
    expect((await failureOf(() => api.list('/reviews'))).message).toContain('too many entries');
    expect(requests).toHaveLength(100);
    expect(requests[0]).toBe('GET /reviews?per_page=100');
  });
});

test('an answer that is no JSON, no list or has no end is an error', async () => {
  await withServer(inTurn({ status: 200, text: '<html>' }), async ({ api }) => {
    expect((await failureOf(() => api.get('/user'))).message).toContain('got no JSON');
  });
  await withServer(inTurn({ status: 200 }), async ({ api }) => {
    expect((await failureOf(() => api.list('/user'))).message).toContain('got no list');
  });
  const part = Buffer.alloc(2 ** 20, '1');
  const flood: RequestListener = (_request, response) => {
    const send = (): void => {
      while (!response.destroyed && response.write(part));
    };
    response.on('drain', send);
    send();
  };
  await withServer(flood, async ({ api }) => {
    expect((await failureOf(() => api.get('/user'))).message).toContain('got more than 32 MiB');
  });
});

test('a server that cannot be reached is an error of its own', async () => {
  let unused = '';
  await withServer(inTurn({ status: 200 }), ({ url }) => Promise.resolve(void (unused = url)));
  const waits: number[] = [];
  const wait = (milliseconds: number) => Promise.resolve(void waits.push(milliseconds));
  const api = new ForgeApi({ name: 'GitLab', url: unused, token: TOKEN }, { now: () => 0, wait });
  const error = await failureOf(() => api.get('/user'));
  expect(error.message).toMatch(/^GitLab GET \/user: .*ECONNREFUSED/);
  expect([error.isUserError, waits]).toEqual([false, [1000, 2000, 4000]]);
});
