import type * as api from '@opentelemetry/api';
import { errorLabel } from '../errors/reaction.ts';
import { openTelemetry } from '../optional-packages/optional.cjs';

/** The package that creates traces. Only programs that use tracing install it, with an SDK. */
type Api = typeof api;

/** The attributes of a span, named by OpenTelemetry's conventions where these exist. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

interface SpanProps {
  /** The operation, without names of objects, because spans are grouped by it. */
  readonly name: string;
  /** `client`: a request to another program. @default internal */
  readonly kind?: 'internal' | 'client' | undefined;
  /** Whether it starts a trace of its own, even within another span. @default false */
  readonly isRoot?: boolean | undefined;
  readonly attributes: SpanAttributes;
}

/** An operation in progress. */
export interface Span {
  /** Headers with which the server of a request continues the trace: `traceparent`. */
  readonly headers: Readonly<Record<string, string>>;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, with the error's message and stack. */
  fail(error: unknown): void;
  /** Marks the span as failed, with one of few names: the status of an answer. */
  failBy(type: string): void;
}

/** The place where an SDK registers itself, for every copy of the package in a process (api, internal/global-utils). */
const registration = Symbol.for('opentelemetry.js.api.1');

/**
 * Reports operations to OpenTelemetry once its SDK has been registered. Before that, and without the package
 * @opentelemetry/api, nothing is loaded and nothing happens. Operations within a span are part of it as far as the
 * SDK's context manager can follow them.
 */
export class Tracing {
  readonly #load: () => Promise<unknown>;
  #api: Promise<Api | undefined> | undefined;

  constructor(load: () => Promise<unknown> = openTelemetry) {
    this.#load = load;
  }

  get isOn(): boolean {
    return Reflect.has(globalThis, registration);
  }

  /** Runs an operation within a span, which ends with it; without a span if no SDK is registered. */
  async withSpan<T>(props: SpanProps, run: (span?: Span) => Promise<T>): Promise<T> {
    const api = this.isOn ? await (this.#api ??= this.#loadApi()) : undefined;
    return api ? runInSpan(api, props, run) : run();
  }

  async #loadApi(): Promise<Api | undefined> {
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

/** The codes of Node's two module loaders. */
const missing = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
