import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkBetaDefinitionFields, checkDefinitionFields } from '@tenantry/crd/validation';
import { formatPath } from '@tenantry/kube/problem';
import { parseRequestUri } from '@tenantry/kube/url';
import { decodeAs } from '../../decoding/decode.ts';
import { readManifestFile } from '../../loader/manifest-file.ts';
import { isImage } from '../../image/reference.ts';
import { isMailAddress } from '../../rules/presentation.ts';
import { formatVersion, parseOlmVersion } from '../../semver/version.ts';
import { parseVersion } from '@tenantry/kube/semver';
import { bundleParts, type AskParts, type PartKind } from '@tenantry/test-tools/go/bundle-parts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { betaDefinition, brokenDefinitions } from './broken-definitions.ts';
import { definition, type Free } from './definition.ts';
import { deployment, role } from './objects.ts';

/*
 * OLM's tools read a bundle with libraries of Go. The results of Tenantry for texts are compared with theirs.
 */
const ask = await bundleParts();

function judged(sentence: string, body: (ask: AskParts) => void): void {
  if (ask) test(sentence, () => body(ask));
  else test.skip(`${sentence} [skipped: test/go/bundleparts is not built]`, () => {});
}

/** Returns the texts about which the libraries disagree with Tenantry. */
function disagreements(
  kind: PartKind,
  texts: readonly string[],
  isOne: (text: string) => boolean,
): string[] {
  const answers = ask!(kind, texts);
  return texts.filter((text, i) => isOne(text) !== (answers[i]!.error === undefined));
}

const pieces = (...all: readonly string[]) =>
  fc.array(fc.constantFrom(...all), { maxLength: 9 }).map((list) => list.join(''));

const RUNS = 1500;
const sampled = <T>(arbitrary: fc.Arbitrary<T>, count = RUNS): T[] =>
  fc.sample(arbitrary, runs(count));

const mails = pieces(
  'a',
  'jo',
  '@',
  '.',
  ' ',
  '"',
  '\\',
  '<',
  '>',
  ',',
  ';',
  ':',
  '(',
  ')',
  '[1.2.3.4]',
  '[',
  ']',
  '\t',
  'é',
  '=?utf-8?q?a?=',
  '=?big5?q?a?=',
  '@b.c',
  'Jo <a@b>',
);

judged('every mail address of Go is one, and others only in rare forms', () => {
  const isRare = (text: string): boolean => /["([;]|=\?/.test(text);
  const wrong = disagreements('mail', sampled(mails), isMailAddress);
  expect(wrong.filter((text) => !isMailAddress(text) || !isRare(text))).toEqual([]);
});

const urls = pieces(
  'http',
  's',
  ':',
  '/',
  '//',
  'a.b',
  '?',
  '#',
  '%',
  '%20',
  '@',
  ':80',
  '[::1]',
  ' ',
  '*',
  'é',
);

judged('a text is the address of a link exactly if it is one for Go', () => {
  const isUrl = (text: string): boolean => parseRequestUri(text) !== undefined;
  expect(disagreements('url', sampled(urls), isUrl)).toEqual([]);
});

const hex = 'abcdef0123456789'.repeat(4);
const images = pieces(
  'a',
  'quay.io',
  'localhost',
  '/',
  ':',
  'A',
  '.',
  '_',
  '__',
  '-',
  ':5000',
  '@',
  `sha256:${hex}`,
  hex,
  `sha1:${hex}`,
  'v1.2',
  ' ',
  '[::1]',
);

judged('a text is the name of an image exactly if it is one for the library of Docker', () => {
  expect(disagreements('image', sampled(images), isImage)).toEqual([]);
});

const versionTexts = pieces(
  '0',
  '1',
  '01',
  '12',
  '.',
  '-',
  '+',
  'v',
  'rc',
  ' ',
  '1.2.3',
  '99999999999999999999',
  '\u0085',
  '-0',
  'é',
);

judged('versions are parsed as in OLM', (ask) => {
  const texts = sampled(versionTexts);
  expect(disagreements('version', texts, (text) => parseVersion(text) !== undefined)).toEqual([]);
  const isTolerated = (text: string): boolean => parseOlmVersion(text) !== undefined;
  expect(disagreements('tolerant', texts, isTolerated)).toEqual([]);
  const read = texts.filter(isTolerated);
  const shown = read.map((text) => formatVersion(parseOlmVersion(text)!));
  expect(shown).toEqual(ask('tolerant', read).map(({ first }) => first));
});

const line = fc.oneof(
  fc.constantFrom(
    '---',
    '--- # a comment',
    '---x',
    '# a comment',
    '',
    'kind: A',
    'kind: B',
    'a: 1',
    'b: {c: [1, yes, "x"]}',
    '<<: {kind: M}',
    'kind: A\r',
    'a: 2',
    '5: x',
    '- a',
    'a: &x {d: 1}',
    'f: *x',
  ),
  fc.integer({ min: 3900, max: 4200 }).map((size) => `long: ${'x'.repeat(size)}`),
);
const files = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''));

judged(
  'a file of several documents is read, and decoded from its start again, as in OLM',
  (ask) => {
    const texts = sampled(files);
    const wrong = ask('documents', texts).flatMap(({ error, first, typed }, i): object[] => {
      const text = texts[i]!;
      const reading = readManifestFile(Buffer.from(text));
      const again = reading.typed();
      const isObject = (value: unknown): boolean =>
        typeof value === 'object' && !Array.isArray(value);
      const isRead = reading.first.fault === undefined && isObject(reading.first.value);
      const hasKind = isRead && ((reading.first.value as Free)?.kind ?? 'none') !== '';
      const isWhole = isRead && again.fault === undefined && isObject(again.value);
      const value = (one: typeof again): unknown =>
        one.fault === undefined ? (one.value ?? {}) : {};
      if (error !== undefined) {
        const isKindless = error.includes("Object 'Kind' is missing");
        return isWhole && !isKindless && hasKind ? [{ text, error, ours: reading.first }] : [];
      }
      const ours = JSON.stringify([sorted(value(reading.first)), sorted(value(again))]);
      const theirs = JSON.stringify([sorted(first ?? {}), sorted(typed ?? {})]);
      if (isWhole && ours === theirs) return [];
      return [[text, ours, theirs].map((one) => one.replaceAll(/x{99,}/g, counted))];
    });
    expect(wrong.slice(0, 5)).toEqual([]);
  },
);

/** Formats the length of a long text. */
function counted(text: string): string {
  return `x * ${text.length}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, item]) => [key, sorted(item)]);
}

/** Normalizes fields to one name, whatever the version of the definition and the versions that have them. */
function canonical(field: string): string {
  return field
    .replace(
      /^spec\.versions\[\d+\]\.(additionalPrinterColumns|subresources|selectableFields)/,
      'spec.$1',
    )
    .replace(/^spec\.(?:version|versions\[\d+\]\.name)$/, 'spec.versions')
    .replace('spec.conversion.webhook.clientConfig', 'spec.conversion.webhookClientConfig')
    .replace(/webhookClientConfig\.service\.name(?:space)?$/, 'webhookClientConfig.service')
    .replace(
      'spec.conversion.webhook.conversionReviewVersions',
      'spec.conversion.conversionReviewVersions',
    )
    .replace(/^spec\.names\.(?:singular|listKind)$/, 'spec.names.kind')
    .replace(/^spec\.selectableFields.*$/, 'spec.selectableFields')
    .replace('JSONPath', 'jsonPath')
    .replace(/^metadata\.(annotations|labels|ownerReferences|finalizers).*$/, 'metadata.$1')
    .replace(
      /^spec\.conversion\.conversionReviewVersions.*$/,
      'spec.conversion.conversionReviewVersions',
    );
}

function fieldsOf(findings: readonly string[]): string[] {
  return [...new Set(findings.map(canonical))].toSorted();
}

function oursOf(crd: Free): string[] | undefined {
  const isBeta = crd.apiVersion === 'apiextensions.k8s.io/v1beta1';
  const { value, faults } = decodeAs<Free>(isBeta ? 'DefinitionV1beta1' : 'DefinitionV1', crd);
  if (faults.length > 0) return undefined;
  const findings = isBeta ? checkBetaDefinitionFields(value) : checkDefinitionFields(value);
  const paths = findings.map(({ path }) => path);
  const reportedPaths = paths.filter(
    ([root, ...path]) =>
      root === 'metadata' || !path.some((part) => String(part).includes('status')),
  );
  return fieldsOf(reportedPaths.map(formatPath));
}

const breaks = fc.array(fc.constantFrom(...brokenDefinitions), { minLength: 1, maxLength: 3 });
const brokenOnes = fc.tuple(breaks, fc.boolean()).map(([list, isBeta]) => {
  const crd = isBeta ? betaDefinition() : definition();
  for (const one of list) {
    if ((one.isBeta ?? false) !== isBeta) continue;
    // Two breaks may affect the same field.
    try {
      one.breaks(crd);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return crd as Free;
});

const odd = fc.constantFrom(null, '', 'x', '1', '2Gi', 7, true, [], {}, [null], -1, 1.5, 2 ** 40);

/** Generates objects with values of wrong types at any place, and with keys in another case. */
function mistyped(objects: fc.Arbitrary<Free>): fc.Arbitrary<Free> {
  return fc.tuple(objects, fc.nat(), odd, fc.nat(9)).map(([object, n, value, luck]) => {
    const copy = structuredClone(object);
    const places = placesIn(copy);
    const [node, key] = places[n % places.length]!;
    if (key === 'apiVersion' || (key === 'kind' && node === copy)) return copy;
    if (luck > 0 || Array.isArray(node)) node[key] = value;
    else {
      node[key.toUpperCase()] = node[key];
      if (key !== key.toUpperCase()) delete node[key];
    }
    return copy;
  });
}

function placesIn(node: Free): [Free, string][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.keys(node).flatMap((key) => [
    [node, key] as [Free, string],
    ...placesIn(node[key]),
  ]);
}

judged('a broken definition has the same invalid fields as in the API server', (ask) => {
  const crds = [...sampled(brokenOnes, 600), ...sampled(mistyped(brokenOnes), 2400)];
  const answers = ask(
    'definition',
    crds.map((crd) => JSON.stringify(crd)),
  );
  const wrong = answers.flatMap(({ error, findings = [] }, i) => {
    // The server's code does not check everywhere whether there is a schema.
    if (error?.startsWith('panic')) return [];
    const ours = oursOf(crds[i]);
    const theirs = error === undefined ? fieldsOf(findings.map(({ field }) => field)) : undefined;
    if (JSON.stringify(ours) === JSON.stringify(theirs)) return [];
    const crd = JSON.stringify(crds[i]).replaceAll(/x{99,}/g, counted);
    return [{ crd, ours: ours ?? null, theirs: theirs ?? error }];
  });
  expect(wrong.slice(0, 5)).toEqual([]);
});

judged(
  'objects are decoded exactly if Go decodes them, whatever the types of their values',
  (ask) => {
    const kinds = [
      ['deployment', 'apps/v1/Deployment', deployment],
      ['role', 'rbac.authorization.k8s.io/v1/Role', role],
    ] as const;
    for (const [kind, type, object] of kinds) {
      const objects = sampled(mistyped(mistyped(fc.constant(object))), 3000);
      const texts = objects.map((one) => JSON.stringify(one));
      const wrong = ask(kind, texts).flatMap(({ error }, i): object[] => {
        const { faults } = decodeAs(type, objects[i]);
        const isSame = (faults.length === 0) === (error === undefined);
        return isSame ? [] : [{ error, faults, text: texts[i] }];
      });
      expect(wrong.slice(0, 4)).toEqual([]);
    }
  },
);
