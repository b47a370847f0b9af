import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
} from '@opentelemetry/api';

/** A recorded span. */
export class MemorySpan implements Span {
  readonly name: string;
  readonly kind: string;
  readonly parent: MemorySpan | undefined;
  readonly attributes: Attributes = {};
  readonly exceptions: string[] = [];
  status: { readonly code: string; readonly message?: string | undefined } | undefined;
  hasEnded = false;
  readonly #context: SpanContext;

  constructor(
    name: string,
    { kind = SpanKind.INTERNAL, attributes }: SpanOptions,
    parent?: MemorySpan,
  ) {
    this.name = name;
    this.kind = SpanKind[kind];
    this.parent = parent;
    Object.assign(this.attributes, attributes);
    const id = (length: number) => crypto.randomUUID().replaceAll('-', '').slice(0, length);
    const traceId = parent?.spanContext().traceId ?? id(32);
    this.#context = { traceId, spanId: id(16), traceFlags: 1 };
  }

  get traceparent(): string {
    return `00-${this.#context.traceId}-${this.#context.spanId}-01`;
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  setAttribute(key: string, value: Attributes[string]): this {
    this.attributes[key] = value;
    return this;
  }

  setAttributes(attributes: Attributes): this {
    Object.assign(this.attributes, attributes);
    return this;
  }

  setStatus({ code, message }: SpanStatus): this {
    this.status = { code: SpanStatusCode[code], ...(message !== undefined && { message }) };
    return this;
  }

  recordException(exception: unknown): void {
    this.exceptions.push(String(exception));
  }

  end(): void {
    this.hasEnded = true;
  }

  isRecording(): boolean {
    return !this.hasEnded;
  }

  addEvent(): this {
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  updateName(): this {
    return this;
  }
}

/** As much of an SDK as spans need, registered until `end`: a tracer, a context manager, W3C's header. */
export class MemoryTracer {
  readonly spans: MemorySpan[] = [];

  constructor() {
    const storage = new AsyncLocalStorage<Context>();
    const active = (): Context => storage.getStore() ?? ROOT_CONTEXT;
    context.setGlobalContextManager({
      active,
      with: (within, run, self, ...args) => storage.run(within, () => run.call(self!, ...args)),
      bind: (_, target) => target,
      enable: () => ({}) as never,
      disable: () => ({}) as never,
    });
    trace.setGlobalTracerProvider({
      getTracer: () => ({
        startSpan: (name, options = {}, within = active()) => {
          const parent = options.root ? undefined : trace.getSpan(within);
          const span = new MemorySpan(name, options, parent as MemorySpan | undefined);
          this.spans.push(span);
          return span;
        },
        startActiveSpan: () => {
          throw new Error('not used');
        },
      }),
    });
    propagation.setGlobalPropagator({
      inject: (within, carrier, setter) => {
        const span = trace.getSpan(within) as MemorySpan | undefined;
        if (span) setter.set(carrier, 'traceparent', span.traceparent);
      },
      extract: (within) => within,
      fields: () => ['traceparent'],
    });
  }

  named(name: string): MemorySpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  end(): void {
    trace.disable();
    context.disable();
    propagation.disable();
    Reflect.deleteProperty(globalThis, Symbol.for('opentelemetry.js.api.1'));
  }
}
