import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readDeclarations } from '../../crds/declarations.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { formatProblem } from '@tenantry/kube/problem';
import { platform } from '../../crds/platform.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { readLoosely } from '@tenantry/kube/yaml/read';
import type { TenantDeclaration } from '../../model/declaration.ts';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { readPage, readPages, type Block, type Page } from './pages.ts';

const kinds = [tenant, tenantClass, platform];
const pages = readPages();
const classes = readPage(join('docs', 'classes.md'));

/** Parses a block. A fragment is the spec of an object, whose kind is in `<!-- fragment: Tenant -->`. */
function declarationsIn({ place, text, hints }: Block) {
  const kind = hints.get('fragment');
  const name = hints.get('name') ?? 'shop';
  const head = `apiVersion: ${tenant.apiVersion}\nkind: ${kind}\nmetadata: { name: ${name} }\n`;
  return readDeclarations(place, kind ? head + text : text, kinds, (path) => {
    throw new Error(`${path} must be shown on the page`);
  });
}

const isOurs = ({ language, text, hints }: Block): boolean =>
  language === 'yaml' &&
  // What an import writes is compared as a whole, with its class.
  !hints.has('written') &&
  // People create it in a cluster, and no file declares it.
  !text.includes('kind: AccessRequest') &&
  (hints.has('fragment') || text.startsWith('spec:') || text.includes(tenant.apiVersion));

/** Returns the platform and the classes of a page; a page without a platform uses those of docs/classes.md. */
function fleetOf(page: Page): Fleet {
  const own = namedIn(page);
  const declared = own.some(({ kind }) => kind === platform.kind)
    ? own
    : [...namedIn(classes), ...own];
  const found = declared.find((one) => one.kind === platform.kind);
  const fleet = new Fleet(resolvePlatform(found?.spec, '2026-01-01'));
  for (const one of declared) {
    if (one.kind === tenantClass.kind) expect(fleet.classes.add(one)).toEqual([]);
  }
  return fleet;
}

const namedIn = ({ blocks }: Page) =>
  blocks
    .filter((block) => isOurs(block) && (!block.hints.has('fragment') || block.hints.has('name')))
    .flatMap((block) => declarationsIn(block).declared);

function render(tenant: TenantDeclaration, fleet: Fleet) {
  const { namespaces, argocd, findings } = fleet.desired(tenant);
  return { objects: [...namespaces.flatMap(({ objects }) => objects), ...argocd], findings };
}

const tenantsOf = (block: Block) =>
  declarationsIn(block).declared.filter((one) => one.kind === tenant.kind);

test('every YAML block of the pages can be parsed', () => {
  const yaml = pages.flatMap(({ blocks }) => blocks).filter(({ language }) => language === 'yaml');
  expect(yaml.length).toBeGreaterThan(40);
  const broken = yaml.flatMap(({ place, text }) =>
    readLoosely(text).problems.map(({ message }) => `${place} ${message}`),
  );
  expect(broken).toEqual([]);
});

test.each(pages)('every declaration on $path is valid', ({ blocks }) => {
  const problems = blocks.filter(isOurs).flatMap((block) => declarationsIn(block).problems);
  expect(problems.map(formatProblem)).toEqual([]);
});

test.each(pages)('the tenants of $path render, or are refused as on the page', (page) => {
  const fleet = fleetOf(page);
  for (const block of page.blocks.filter(isOurs)) {
    const refused = block.hints.get('refused');
    const rules = tenantsOf(block).flatMap((one) =>
      render(one, fleet).findings.map(({ rule, path, message }) => ({
        rule,
        text: refused === undefined ? `${block.place} ${path.join('.')} ${message}` : '',
      })),
    );
    expect(rules).toEqual(refused === undefined ? [] : [{ rule: refused, text: '' }]);
  }
});

test.each(pages)('the rendered files shown on $path are correct', (page) => {
  const fleet = fleetOf(page);
  const rendered = page.blocks
    .filter(isOurs)
    .flatMap(tenantsOf)
    .flatMap((one) => render(one, fleet).objects);
  for (const { text, hints } of page.blocks.filter((block) => block.hints.has('rendered'))) {
    expect(hints.get('fragment')).toBeUndefined();
    for (const { value } of readLoosely(text).documents) {
      const { kind, metadata } = value as KubeObject;
      const ours = rendered.find(
        (one) =>
          one.kind === kind &&
          one.metadata.name === metadata.name &&
          one.metadata.namespace === metadata.namespace,
      );
      expect(ours).toEqual(value);
    }
  }
});
