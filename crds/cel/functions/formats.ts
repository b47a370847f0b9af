import { formatCheck } from '../../format/format.ts';
import { ListValue } from '../collection.ts';
import { NotChecked, noSuchOverload } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { Optional, Rich, type Value } from '../value.ts';

/** A rule for texts that has a name. */
class NamedFormat extends Rich {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  get typeName(): string {
    return 'kubernetes.NamedFormat';
  }

  equals(other: Value): boolean {
    if (other instanceof NamedFormat) return other.name === this.name;
    throw noSuchOverload();
  }
}

/** What the API server has to say about a text: how many words it makes, and which, is its own. */
class Complaints extends ListValue {
  get size(): never {
    throw new NotChecked('it reads the words of the API server about a format');
  }

  at(): never {
    return this.size;
  }

  concat(): never {
    return this.size;
  }

  override equals(): never {
    return this.size;
  }
}

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const KEY = '(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const label = new RegExp(`^${LABEL}$`);
const subdomain = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const oldLabel = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const labelValue = new RegExp(`^(?:${KEY})?$`);
const labelKey = new RegExp(`^${KEY}$`);

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const short = (pattern: RegExp, longest: number) => (text: string) =>
  bytes(text) <= longest && pattern.test(text);

/** The start of a name: a hyphen may be its end. */
const prefixOf = (check: (text: string) => boolean) => (text: string) =>
  check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

function isQualifiedName(text: string): boolean {
  const parts = text.split('/');
  const [prefix, name] = parts.length === 2 ? parts : [undefined, text];
  if (parts.length > 2 || (prefix !== undefined && !short(subdomain, 253)(prefix))) return false;
  return short(labelKey, 63)(name!);
}

function ofSchema(name: string) {
  return (text: string): boolean => {
    const verdict = formatCheck(name)!(text);
    if (verdict === undefined) throw new NotChecked(`it asks for the format ${name}`);
    return verdict;
  };
}

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  dns1123Label: short(label, 63),
  dns1123Subdomain: short(subdomain, 253),
  dns1035Label: short(oldLabel, 63),
  qualifiedName: isQualifiedName,
  dns1123LabelPrefix: prefixOf(short(label, 63)),
  dns1123SubdomainPrefix: prefixOf(short(subdomain, 253)),
  dns1035LabelPrefix: prefixOf(short(oldLabel, 63)),
  labelValue: short(labelValue, 63),
  uri: ofSchema('uri'),
  uuid: ofSchema('uuid'),
  byte: ofSchema('byte'),
  date: ofSchema('date'),
  datetime: ofSchema('datetime'),
};

const constants = Object.fromEntries(
  Object.keys(formats).map((name) => [`format.${name}(): format`, () => new NamedFormat(name)]),
) as Functions;

/**
 * Formats of texts by name.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-format-library
 */
export const namedFormats: Functions = {
  ...constants,
  'format.named(string): optional<format>': (name: string) =>
    Object.hasOwn(formats, name) ? new Optional(new NamedFormat(name)) : Optional.none,
  'format::validate(string): optional<list<string>>': ({ name }: NamedFormat, text: string) =>
    formats[name]!(text) ? Optional.none : new Optional(new Complaints()),
};
