import { EVENT_ID, SCALAR_STYLE, YAMLException, parseEvents } from 'js-yaml';
import type { Event, ScalarEvent } from 'js-yaml';
import { show } from '../problem.ts';
import { isString } from './write-string.ts';

/** A part of a text that some reader does not read as kubectl does. */
interface AmbiguousYaml {
  readonly offset: number;
  readonly message: string;
}

/** Matches the words of JSON that are not strings; all YAML readers agree on them. */
const JSON_WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/**
 * Finds the first thing in YAML of Kubernetes objects that emitters do not write, and that is read in several ways.
 * These are a stream that begins like JSON (kubectl and Argo CD then read one document), comments (tools obey some),
 * tags, plain scalars that some readers take for numbers, booleans or dates, and a block that begins with a tab
 * (kubectl refuses it). The text is one that `readDocuments` accepts.
 */
export function findAmbiguousYaml(text: string): AmbiguousYaml | undefined {
  const start = text.search(/\S/);
  if (start >= 0 && '{['.includes(text.charAt(start))) {
    return { offset: start, message: 'must be YAML in block style, got JSON' };
  }
  let events: Event[];
  try {
    events = parseEvents(text, { maxDepth: 100 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { offset: error.mark?.position ?? 0, message: `must be YAML: ${error.reason}` };
  }
  return commentIn(text, events) ?? scalarIn(text, events);
}

/** Finds a comment: everything else is inside scalars. */
function commentIn(text: string, events: readonly Event[]): AmbiguousYaml | undefined {
  if (!text.includes('#')) return undefined;
  let end = 0;
  for (const event of [...events, undefined]) {
    if (event && !isScalar(event)) continue;
    const offset = text.slice(end, event?.valueStart).indexOf('#');
    if (offset >= 0) {
      return {
        offset: end + offset,
        message: 'must not hold comments: tools take orders from them',
      };
    }
    if (event) end = event.valueEnd;
  }
  return undefined;
}

function scalarIn(text: string, events: readonly Event[]): AmbiguousYaml | undefined {
  /** For every open collection: whether a key comes next, or undefined in a list. */
  const open: (boolean | undefined)[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    const isKey = open.at(-1);
    if (isKey !== undefined) open[open.length - 1] = !isKey;
    if (isScalar(event)) {
      const message = validateScalarStyle(text, event, isKey === true);
      if (message !== undefined) return { offset: event.valueStart, message };
    } else if (event.type !== EVENT_ID.ALIAS) {
      open.push(event.type === EVENT_ID.MAPPING ? true : undefined);
    }
  }
  return undefined;
}

function validateScalarStyle(text: string, event: ScalarEvent, isKey: boolean): string | undefined {
  const value = text.slice(event.valueStart, event.valueEnd);
  if (event.tagStart >= 0) return `must have no tag, got ${show(value)} with one`;
  switch (event.style) {
    case SCALAR_STYLE.PLAIN:
      if (isString(value) || (!isKey && JSON_WORD.test(value))) return undefined;
      return `must be in quotes, got ${show(value)}, which not all readers read alike`;
    case SCALAR_STYLE.LITERAL_BLOCK:
    case SCALAR_STYLE.FOLDED_BLOCK:
      return /^\s*\t/.test(value)
        ? 'must be in double quotes, got a block that begins with a tab'
        : undefined;
    default:
      return undefined;
  }
}

function isScalar(event: Event): event is ScalarEvent {
  return event.type === EVENT_ID.SCALAR && event.valueStart >= 0;
}
