import { isBase64, isUuid } from '../../format.ts';
import {
  isDns1035Label,
  isDnsLabel,
  isLabelValue,
  isQualifiedName,
  isSubdomain,
  withoutTrailingDash,
} from '@tenantry/kube/names';
import { isDate, isDateTime } from '@tenantry/kube/time';
import { parseRequestUri } from '@tenantry/kube/url';
import { ListValue } from '../collection.ts';
import { Undecided, noSuchOverload } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { Optional, BoxedValue, type Value } from '../value.ts';

class NamedFormat extends BoxedValue {
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

/** The API server's error messages about a text: their number and wording are internal to it. */
class FormatErrors extends ListValue {
  get size(): never {
    throw new Undecided('it reads the messages of the API server about a format');
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

/** Checks the beginning of a name, which may end in a hyphen. */
const prefixOf = (check: (text: string) => boolean) => (text: string) =>
  check(withoutTrailingDash(text));

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  dns1123Label: isDnsLabel,
  dns1123Subdomain: isSubdomain,
  dns1035Label: isDns1035Label,
  qualifiedName: isQualifiedName,
  dns1123LabelPrefix: prefixOf(isDnsLabel),
  dns1123SubdomainPrefix: prefixOf(isSubdomain),
  dns1035LabelPrefix: prefixOf(isDns1035Label),
  labelValue: isLabelValue,
  uri: (text) => parseRequestUri(text) !== undefined,
  uuid: isUuid,
  byte: isBase64,
  date: isDate,
  datetime: isDateTime,
};

/** The cost of matching a format for each step through a text, by the length of its pattern. */
const costs: Readonly<Record<string, number>> = {
  dns1123Label: 8,
  dns1123Subdomain: 15,
  dns1035Label: 8,
  qualifiedName: 15,
  dns1123LabelPrefix: 8,
  dns1123SubdomainPrefix: 15,
  dns1035LabelPrefix: 8,
  labelValue: 10,
  uri: 276,
  uuid: 18,
  byte: 21,
  date: 18,
  datetime: 18,
};

/**
 * Returns the cost of matching a format value for each step through a text.
 *
 * Source: MaxRegexSize in k8s.io/apiserver/pkg/cel/library (format.go), a quarter of it
 */
export const formatCost = (format: Value): number =>
  format instanceof NamedFormat ? costs[format.name]! : 1;

const constants = Object.fromEntries(
  Object.keys(formats).map((name) => [`format.${name}(): format`, () => new NamedFormat(name)]),
) as Functions;

/**
 * Named formats of texts.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-format-library
 */
export const namedFormats: Functions = {
  ...constants,
  'format.named(string): optional<format>': (name: string) =>
    Object.hasOwn(formats, name) ? new Optional(new NamedFormat(name)) : Optional.none,
  'format::validate(string): optional<list<string>>': ({ name }: NamedFormat, text: string) =>
    formats[name]!(text) ? Optional.none : new Optional(new FormatErrors()),
};
