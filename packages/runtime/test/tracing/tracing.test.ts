import { afterEach, expect, test } from '@jest/globals';
import { Tracing } from '../../tracing/tracing.ts';
import { MemoryTracer } from './memory-tracer.ts';

let tracer: MemoryTracer | undefined;
const traced = (): MemoryTracer => (tracer = new MemoryTracer());
afterEach(() => tracer?.end());

const props = { name: 'sweep', attributes: { floor: 2 } };

test('work within a span is part of it, including asynchronous work', async () => {
  const { spans } = traced();
  const tracing = new Tracing();
  const inner = (name: string) =>
    tracing.withSpan({ name, kind: 'client', attributes: {} }, async () => {});
  const given = await tracing.withSpan(props, async (span) => {
    await inner('first');
    span?.set({ dust: true });
    await Promise.all([inner('second'), inner('third')]);
    return 'clean';
  });
  await inner('alone');
  expect(given).toBe('clean');
  expect(spans.map(({ name, kind, parent }) => [name, kind, parent?.name])).toEqual([
    ['sweep', 'INTERNAL', undefined],
    ['first', 'CLIENT', 'sweep'],
    ['second', 'CLIENT', 'sweep'],
    ['third', 'CLIENT', 'sweep'],
    ['alone', 'CLIENT', undefined],
  ]);
  expect(spans[0]?.attributes).toEqual({ floor: 2, dust: true });
  expect(spans.every(({ hasEnded, status }) => hasEnded && status === undefined)).toBe(true);
});

test('a root span starts a trace of its own, wherever it is started', async () => {
  const { spans } = traced();
  const tracing = new Tracing();
  await tracing.withSpan(props, () => tracing.withSpan({ ...props, isRoot: true }, async () => {}));
  const ids = spans.map((span) => span.spanContext().traceId);
  expect([spans[1]?.parent, new Set(ids).size]).toEqual([undefined, 2]);
});

test('a request continues the trace through the headers of its span', async () => {
  const { spans } = traced();
  const headers = await new Tracing().withSpan(props, async (span) => span?.headers);
  expect(headers).toEqual({ traceparent: spans[0]?.traceparent });
});

test('an error ends the span as a failure, and is rethrown', async () => {
  const { spans } = traced();
  const tracing = new Tracing();
  const error = new RangeError('too high');
  await expect(tracing.withSpan(props, () => Promise.reject(error))).rejects.toBe(error);
  // eslint-disable-next-line prefer-promise-reject-errors
  await expect(tracing.withSpan(props, () => Promise.reject('broken'))).rejects.toBe('broken');
  expect(spans.map(({ status, exceptions, hasEnded }) => [status, exceptions, hasEnded])).toEqual([
    [{ code: 'ERROR', message: 'too high' }, ['RangeError: too high'], true],
    [{ code: 'ERROR', message: 'broken' }, ['broken'], true],
  ]);
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual(['RangeError', 'other']);
});

test('the package is not loaded before an SDK is registered, and once after that', async () => {
  let loaded = 0;
  const tracing = new Tracing(() => {
    loaded += 1;
    return import('@opentelemetry/api');
  });
  expect(tracing.isOn).toBe(false);
  expect(await tracing.withSpan(props, async (span) => span)).toBeUndefined();
  expect(loaded).toBe(0);
  const { spans } = traced();
  expect(tracing.isOn).toBe(true);
  for (let times = 0; times < 3; times += 1) await tracing.withSpan(props, async () => {});
  expect([loaded, spans.length]).toEqual([1, 3]);
});

test('without the package nothing is traced, and a broken package is an error', async () => {
  traced();
  const failing = (code: string) => () =>
    Promise.reject(Object.assign(new Error('no package'), { code }));
  for (const code of ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']) {
    const tracing = new Tracing(failing(code));
    expect(await tracing.withSpan(props, async (span) => [span])).toEqual([undefined]);
  }
  const broken = new Tracing(failing('EACCES'));
  await expect(broken.withSpan(props, async () => {})).rejects.toThrow('no package');
});
