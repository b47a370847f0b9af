import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** The selection at choices of a pattern; deterministic for the same arguments. */
interface Choice {
  times(fewest: number, most: number): number;
  /** Returns the index of one of `count` alternatives. */
  one(count: number): number;
}

/** The characters that are tried for a set, in this order: readable ones first. */
const characters = [
  ...'abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:=%@+*,;~!?#$&()[]{}<>^|',
  ...'"\'`\\ \téß中😀\n\0',
];

/**
 * Generates texts that most likely match a Go regular expression, the shortest first. Each must be checked with the
 * pattern itself. Deterministic for the same pattern; yields nothing for a pattern that cannot be parsed.
 */
export function* generateMatchingTexts(pattern: string, minLength = 0): Generator<string> {
  let parsed: AST.Pattern;
  try {
    parsed = new RegExpParser().parsePattern(inJavaScript(pattern));
  } catch {
    return;
  }
  for (const choice of choices(minLength)) yield anyOf(parsed.alternatives, choice);
}

function* choices(minLength: number): Generator<Choice> {
  const more = [0, 1, 2, 3, Math.ceil(minLength / 2), minLength].filter((n, i) => i < 4 || n > 3);
  for (const [i, extra] of more.entries()) {
    // Nested repetition grows without bounds; this budget is enough for any length.
    let left = 10_000;
    yield {
      times: (fewest, most) => {
        const times = Math.min(most, fewest + Math.min(extra, left));
        left = Math.max(0, left - times);
        return times;
      },
      one: (count) => i % count,
    };
  }
  // A linear congruential generator, with the constants of Numerical Recipes.
  for (let seed = 1; seed <= 60; seed += 1) {
    let state = seed;
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state >>> 8) % limit;
    };
    yield {
      times: (fewest, most) => fewest + below(Math.min(most - fewest, 1 + (seed % 12)) + 1),
      one: below,
    };
  }
}

function anyOf(alternatives: readonly AST.Alternative[], choice: Choice): string {
  const chosen = alternatives[choice.one(alternatives.length)]!;
  return chosen.elements.map((element) => text(element, choice)).join('');
}

function text(node: AST.Element, choice: Choice): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterClass':
    case 'CharacterSet': {
      const set = listMembers(node.raw);
      return set[choice.one(set.length)] ?? '';
    }
    case 'Quantifier': {
      const times = choice.times(node.min, node.max);
      return Array.from({ length: times }, () => text(node.element, choice)).join('');
    }
    case 'Group':
    case 'CapturingGroup':
      return anyOf(node.alternatives, choice);
    default:
      return '';
  }
}

function listMembers(set: string): string[] {
  const expression = new RegExp(`^${set}$`);

  const members = characters.filter((character) => expression.test(character));
  return members.length > 0 ? members : firstOf(set);
}

/** Returns the first character of a set that contains none of the preferred ones. */
function firstOf(set: string): string[] {
  const named = new RegExpParser().parsePattern(set).alternatives[0]?.elements[0];
  const first = named?.type === 'CharacterClass' ? named.elements[0] : undefined;
  if (first?.type === 'Character') return [String.fromCodePoint(first.value)];
  return first?.type === 'CharacterClassRange' ? [String.fromCodePoint(first.min.value)] : [];
}

const posix: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

const pieces =
  /\\Q([^]*?)(?:\\E|$)|\\([pP])(\{\^?\w+\}|\w)|\\x\{([0-9A-Fa-f]+)\}|\\[AzC]|\\[^]|\[:(\^?)(\w+):\]|\(\?P?<\w+>|\(\?([a-zA-Z-]+)([:)])|\[\^?|\]|[^]/g;

/**
 * Translates a Go expression to JavaScript, to generate texts from it. Texts that match the result mostly, but not
 * always, match the pattern. Flags are dropped, because a text in the case of the pattern matches with and without
 * them.
 */
export function inJavaScript(pattern: string): string {
  let inSet = false;
  return pattern.replace(
    pieces,
    (piece, quoted?: string, p?: string, _name?: string, hex?: string, ...rest: unknown[]) => {
      const [negated, named, flags, close] = rest as (string | undefined)[];
      if (quoted !== undefined) return quoted.replaceAll(/[^\w\s]/g, '\\$&');
      if (p !== undefined) {
        const range = p === 'p' ? 'A-Za-z' : '0-9';
        return inSet ? range : `[${range}]`;
      }
      if (hex !== undefined) return unicode(hex);
      if (piece === '\\A' || piece === '\\z') return '';
      if (inSet && named !== undefined) return negated ? '!-~' : (posix[named] ?? '');
      if (piece.startsWith('(?P<') || piece.startsWith('(?<')) return '(';
      if (flags !== undefined && close !== undefined) return close === ')' ? '' : '(?:';
      if (piece.length <= 2 && piece.startsWith('[')) {
        if (inSet) return `\\${piece}`;
        inSet = true;
      } else if (piece === ']') inSet = false;
      return piece;
    },
  );
}

function unicode(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : String.fromCodePoint(code);
}
