import { EVENT_ID, SCALAR_STYLE, getScalarValue } from 'js-yaml';
import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml';
import { isMapping } from '../mapping.ts';
import { formatBrief, show } from '../problem.ts';
import { isSecret, NOT_SHOWN } from '../secret.ts';
import { escapeProblems, isAmbiguousKey } from './dialect.ts';
import { eventOffset } from './yaml-document.ts';
import {
  looseScalar,
  NotJson,
  plainKey,
  resolvePlain,
  resolveTagged,
  type ScalarTag,
} from './scalar.ts';

/** The maximum depth of nested collections, aliases included. */
export const MAX_DEPTH = 64;
/** The maximum number of nodes that the aliases of one file may add to it. */
const MAX_ALIASED_NODES = 100_000;

/** The maximum number of reported problems of one document: locating one takes time proportional to the text. */
const MAX_REPORTED = 100;

/** What a file has used of its limits; shared by all of its documents. */
export interface Budget {
  aliasedNodes: number;
}

type Report = (offset: number, message: string) => void;

interface Anchor {
  readonly value: unknown;
  /** False until the node is complete: before that an alias to it would contain itself. */
  closed: boolean;
}

/** What is refused: everything that two readers may read differently, or only what no reader accepts. */
export interface ConstructOptions {
  /** @default MAX_DEPTH */
  readonly depth?: number;
  /**
   * Whether to read as go-yaml does into an untyped value: the last of repeated keys counts, merge keys are merged,
   * tags may have any name, integers are rounded, and numbers may be keys. @default false
   */
  readonly isLoose?: boolean;
}

const SCALAR_TAGS: Readonly<Record<string, ScalarTag>> = {
  '!!int': 'int',
  '!!float': 'float',
  '!!bool': 'bool',
  '!!null': 'null',
};

const QUESTION = '?'.charCodeAt(0);
/** The key `<<`, under which mappings are merged. */
const MERGE = Symbol('<<');

/** Formats the advice for a text that begins with a character of YAML. */
function needsQuotes(char: string): string {
  return `; a text that begins with '${char}' needs quotes`;
}

/**
 * Builds the JSON value of one document from its events. Every value is a tree: what an alias names is copied. Each
 * refused node is reported with its offset in `source`, and replaced by null; the caller then drops the value.
 */
export class Construction {
  readonly #source: string;
  readonly #events: readonly Event[];
  readonly #budget: Budget;
  readonly #report: Report;
  readonly #maxDepth: number;
  readonly #isLoose: boolean;
  #next = 0;
  #refusals = 0;
  #stopped = false;
  #anchors: Map<string, Anchor> | undefined;
  /** The keys on the way to the current node. */
  readonly #keys: string[] = [];

  constructor(
    source: string,
    events: readonly Event[],
    budget: Budget,
    report: Report,
    { depth = MAX_DEPTH, isLoose = false }: ConstructOptions = {},
  ) {
    this.#maxDepth = depth;
    this.#isLoose = isLoose;
    this.#source = source;
    this.#events = events;
    this.#budget = budget;
    this.#report = (offset, message) => {
      this.#refusals += 1;
      if (this.#refusals <= MAX_REPORTED) report(offset, message);
    };
  }

  /** Builds the root value of the document whose event is next in `events`. */
  document(): unknown {
    this.#next = 1;
    return this.#node(0);
  }

  #node(depth: number): unknown {
    const event = this.#events[this.#next]!;
    this.#next += 1;
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event);
      case EVENT_ID.MAPPING:
        return this.#mapping(event, depth);
      case EVENT_ID.SEQUENCE:
        return this.#sequence(event, depth);
      case EVENT_ID.ALIAS:
        return this.#alias(event, depth);
      default:
        throw new Error('a node must start with a scalar, a collection or an alias');
    }
  }

  #scalar(event: ScalarEvent): unknown {
    const text = getScalarValue(this.#source, event);
    if (event.style === SCALAR_STYLE.PLAIN) {
      if (text.charCodeAt(0) === QUESTION && !this.#isLoose)
        this.#refuse(event, 'must be in quotes', text);
    } else if (!event.fast) this.#checkEscapes(event);
    const value = event.tagStart === -1 ? this.#untagged(event, text) : this.#tagged(event, text);
    const json = value instanceof NotJson ? this.#refuse(event, value.must, text) : value;
    if (event.anchorStart !== -1) this.#anchor(event, json);
    return json;
  }

  #tagged(event: ScalarEvent, text: string): unknown {
    const name = this.#source.slice(event.tagStart, event.tagEnd);
    if (name === '!!str') return text;
    const tag = SCALAR_TAGS[name];
    if (tag !== undefined) return resolveTagged(tag, text);
    return this.#isLoose ? text : this.#refuseTag(event);
  }

  #untagged(event: ScalarEvent, text: string): unknown {
    if (event.style !== SCALAR_STYLE.PLAIN) return text;
    return this.#isLoose ? looseScalar(text) : resolvePlain(text);
  }

  #mapping(event: MappingEvent, depth: number): unknown {
    const value: Record<string, unknown> = {};
    const anchor = this.#open(event, depth, '!!map', value);
    while (this.#events[this.#next]!.type !== EVENT_ID.POP) this.#pair(value, depth + 1);
    this.#next += 1;
    if (anchor !== undefined) anchor.closed = true;
    return value;
  }

  #pair(mapping: Record<string, unknown>, depth: number): void {
    const event = this.#events[this.#next]!;
    const key = this.#key(event, depth);
    this.#keys.push(typeof key === 'string' ? key : '');
    const value = this.#node(depth);
    this.#keys.pop();
    if (key === undefined) return;
    if (key === MERGE) return this.#merge(mapping, value, event);
    if (Object.hasOwn(mapping, key) && !this.#isLoose) {
      const hint = /^-\w/.test(key) ? "; write a space after the '-' of a list item" : '';
      this.#report(this.#offset(event), `must be a key of its own, got ${show(key)} again${hint}`);
    } else if (key === '__proto__') {
      const own = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(mapping, key, own);
    } else mapping[key] = value;
  }

  /** Merges a mapping. Merged keys take the position of existing ones; if there are several, the first wins. */
  #merge(mapping: Record<string, unknown>, value: unknown, event: Event): void {
    const sources = Array.isArray(value) ? value.toReversed() : [value];
    for (const source of sources) {
      if (isMapping(source)) Object.assign(mapping, this.#copy(source, 0));
      else if (!this.#stopped) {
        this.#report(this.#offset(event), 'must be merged from mappings, got something else');
      }
    }
  }

  /** Returns the key, or undefined if it was refused. */
  #key(event: Event, depth: number): string | typeof MERGE | undefined {
    if (event.type !== EVENT_ID.SCALAR) {
      this.#report(this.#offset(event), `must be a string as a key, got ${nameOf(event)}`);
      this.#node(depth);
      return undefined;
    }
    const isPlain = event.style === SCALAR_STYLE.PLAIN && event.tagStart === -1;
    if (this.#isLoose && this.#source.slice(event.tagStart, event.tagEnd) === '!!merge') {
      this.#next += 1;
      return MERGE;
    }
    if (!isPlain) {
      const value = this.#node(depth);
      if (typeof value === 'string') return value;
      this.#refuse(event, 'must be a string as a key', String(value));
      return undefined;
    }
    this.#next += 1;
    const text = getScalarValue(this.#source, event);
    if (!this.#isLoose && isAmbiguousKey(this.#source, event.valueEnd, text)) {
      this.#refuse(event, 'must be in quotes', text);
    }
    this.#anchor(event, text);
    if (text === '<<') {
      if (this.#isLoose) return MERGE;
      this.#report(
        this.#offset(event),
        `must be written out (merge keys are not read), got ${show(text)}`,
      );
      return undefined;
    }
    const key = plainKey(text);
    if (typeof key === 'string') {
      if (key === text || this.#isLoose) return key;
      this.#report(this.#offset(event), misreadKey(text, key));
      return undefined;
    }
    const number = this.#isLoose ? looseScalar(text) : undefined;
    if (typeof number === 'number') return String(number);
    const message =
      text === ''
        ? `${key.must}, got nothing`
        : misreadKey(text, describeReading(resolvePlain(text)));
    this.#report(this.#offset(event), message);
    return undefined;
  }

  #sequence(event: SequenceEvent, depth: number): unknown {
    const value: unknown[] = [];
    const anchor = this.#open(event, depth, '!!seq', value);
    while (this.#events[this.#next]!.type !== EVENT_ID.POP) value.push(this.#node(depth + 1));
    this.#next += 1;
    if (anchor !== undefined) anchor.closed = true;
    return value;
  }

  #open(
    event: MappingEvent | SequenceEvent,
    depth: number,
    tag: string,
    value: unknown,
  ): Anchor | undefined {
    if (depth === this.#maxDepth) this.#report(event.start, tooDeep);
    const isTagged = event.tagStart !== -1 && !this.#isLoose;
    if (isTagged && this.#source.slice(event.tagStart, event.tagEnd) !== tag) {
      this.#refuseTag(event);
    }
    return this.#anchor(event, value, false);
  }

  #anchor(event: MappingEvent | SequenceEvent | ScalarEvent, value: unknown, closed = true) {
    if (event.anchorStart === -1) return undefined;
    const anchor: Anchor = { value, closed };
    this.#anchors ??= new Map();
    this.#anchors.set(this.#source.slice(event.anchorStart, event.anchorEnd), anchor);
    return anchor;
  }

  #alias(event: AliasEvent, depth: number): unknown {
    const name = this.#source.slice(event.anchorStart, event.anchorEnd);
    const anchor = this.#anchors?.get(name);
    if (anchor === undefined) {
      return this.#refuse(event, 'must name an anchor before it', `*${name}`, needsQuotes('*'));
    }
    if (!anchor.closed) return this.#refuse(event, 'must not contain itself', `*${name}`);
    return this.#copy(anchor.value, depth);
  }

  #copy(value: unknown, depth: number): unknown {
    if (this.#stopped) return null;
    this.#budget.aliasedNodes += 1;
    if (this.#budget.aliasedNodes > MAX_ALIASED_NODES) return this.#stop(tooMany);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= this.#maxDepth) return this.#stop(tooDeep);
    if (Array.isArray(value)) return value.map((item) => this.#copy(item, depth + 1));
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, item]) => [key, this.#copy(item, depth + 1)]));
  }

  /** Refuses the last alias with a message, and every later one of the document without. */
  #stop(message: string): null {
    this.#stopped = true;
    this.#report(this.#offset(this.#events[this.#next - 1]!), message);
    return null;
  }

  #checkEscapes(event: ScalarEvent): void {
    if (event.style !== SCALAR_STYLE.DOUBLE_QUOTED) return;
    const raw = this.#source.slice(event.valueStart, event.valueEnd);
    for (const { offset, message } of escapeProblems(raw)) {
      this.#report(event.valueStart + offset, message);
    }
  }

  #refuseTag(event: ScalarEvent | MappingEvent | SequenceEvent): null {
    const tag = this.#source.slice(event.tagStart, event.tagEnd);
    const allowed = event.type === EVENT_ID.SCALAR ? '!!str, !!int, !!float, !!bool, !!null' : '';
    const must = allowed === '' ? 'must have no tag' : `must have no tag or one of ${allowed}`;
    this.#report(
      event.tagStart,
      `${must}, got ${formatBrief(tag)}${tag.startsWith('!!') ? '' : needsQuotes('!')}`,
    );
    return null;
  }

  #refuse(event: Event, must: string, got: string | undefined, advice = ''): null {
    // Whether it is data of a Secret is not known yet.
    const mayLeak = this.#keys.includes('data') || isSecret(this.#keys);
    const shown = got === undefined ? 'nothing' : mayLeak ? NOT_SHOWN : show(got);
    this.#report(this.#offset(event), `${must}, got ${shown}${advice}`);
    return null;
  }

  #offset(event: Event): number {
    if (this.#refusals >= MAX_REPORTED) return 0;
    return eventOffset(this.#source, this.#events, this.#events.indexOf(event));
  }
}

const misreadKey = (text: string, key: string): string =>
  `must be in quotes as a key, since YAML reads it as ${formatBrief(key)}, got ${formatBrief(text)}`;
const describeReading = (value: unknown): string => {
  if (value === null) return 'null';
  return typeof value === 'number' ? `the number ${value}` : 'a number';
};
const tooDeep = `must be nested at most ${MAX_DEPTH} deep, got more`;
const tooMany = `must add at most ${MAX_ALIASED_NODES} values to a file through aliases, got more`;

function nameOf(event: Event): string {
  if (event.type === EVENT_ID.MAPPING) return 'a mapping';
  return event.type === EVENT_ID.SEQUENCE ? 'a list' : 'an alias';
}
