import type * as api from '@opentelemetry/api';
import { errorLabel } from '../errors/error-label.ts';
import { openTelemetry } from '../packages/optional.cjs';

/** What traces are made with: a package that only who follows them installs, with an SDK. */
type Api = typeof api;

/** What is told of a span, by the names of OpenTelemetry's conventions where there are such. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanProps {
  /** What is done, without the names of objects: it is counted by this. */
  readonly name: string;
  /** `client`: it asks another program, and waits for the answer. @default internal */
  readonly kind?: 'internal' | 'client' | undefined;
  /** A trace of its own, whatever it was begun by. @default false */
  readonly isRoot?: boolean | undefined;
  readonly attributes: SpanAttributes;
}

/** Something that is being done. */
export interface Span {
  /** Headers by which who answers a request goes on with the trace: `traceparent`. */
  readonly headers: Readonly<Record<string, string>>;
  set(attributes: SpanAttributes): void;
  /** It failed with this, which is told with its message and stack. */
  fail(error: unknown): void;
  /** It failed, which has one of few names: the status of an answer. */
  failBy(type: string): void;
}

/** Where an SDK registers itself, for every copy of the package in a process (api, internal/global-utils). */
const registration = Symbol.for('opentelemetry.js.api.1');

/**
 * Tells OpenTelemetry what is done, once its SDK has been registered: before that, and without the
 * package @opentelemetry/api, nothing is loaded and nothing happens. What is done within a span is part of
 * it as far as the context manager of the SDK sees.
 */
export class Tracing {
  readonly #load: () => Promise<unknown>;
  #api: Promise<Api | undefined> | undefined;

  /** `load` gives the package. */
  constructor(load: () => Promise<unknown> = openTelemetry) {
    this.#load = load;
  }

  /** Whether somebody is there to be told. */
  get isOn(): boolean {
    return Reflect.has(globalThis, registration);
  }

  /** Does it within a span, which ends with it; without one where nobody is there to be told. */
  async withSpan<T>(props: SpanProps, run: (span?: Span) => Promise<T>): Promise<T> {
    const api = this.isOn ? await (this.#api ??= this.#loaded()) : undefined;
    return api ? runInSpan(api, props, run) : run();
  }

  async #loaded(): Promise<Api | undefined> {
    try {
      return (await this.#load()) as Api;
    } catch (error) {
      if (missing.has(errorLabel(error))) return undefined;
      throw error;
    }
  }
}

async function runInSpan<T>(
  api: Api,
  { name, kind = 'internal', isRoot = false, attributes }: SpanProps,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  const { context, trace, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode } = api;
  const parent = isRoot ? ROOT_CONTEXT : context.active();
  const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };
  const options = { kind: kinds[kind], root: isRoot, attributes };
  const span = trace.getTracer('tenantry').startSpan(name, options, parent);
  const within = trace.setSpan(parent, span);
  const headers: Record<string, string> = {};
  propagation.inject(within, headers);
  const ownSpan: Span = {
    headers,
    set: (more) => void span.setAttributes(more),
    fail: (error) => {
      const exception = error instanceof Error ? error : String(error);
      const message = typeof exception === 'string' ? exception : exception.message;
      span.recordException(exception);
      span.setAttribute('error.type', errorLabel(error));
      span.setStatus({ code: SpanStatusCode.ERROR, message });
    },
    failBy: (type) => {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
  try {
    return await context.with(within, run, undefined, ownSpan);
  } catch (error) {
    ownSpan.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Of Node's two loaders. */
const missing = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
