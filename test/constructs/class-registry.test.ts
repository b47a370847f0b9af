import { expect, test } from '@jest/globals';
import { ClassRegistry } from '../../model/class-registry.ts';
import type { TenantDeclaration } from '../../model/declaration.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { errorAt } from '@tenantry/kube/finding';

const registry = (): ClassRegistry => new ClassRegistry(resolvePlatform());
const choose = (className: string): TenantDeclaration => ({ name: 'acme', spec: { className } });
const aboutClass = errorAt(['spec', 'className'], 'must be a declared TenantClass', 'class');

test('a class is resolved with its parent, in whichever order both are added', () => {
  const parent = { name: 'parent', spec: { defaults: { labels: { from: 'parent' } } } };
  const child = { name: 'child', spec: { extends: 'parent' } };
  for (const order of [
    [parent, child],
    [child, parent],
  ]) {
    const classes = registry();
    for (const one of order) classes.add(one);
    expect(classes.resolve(choose('child'))).toMatchObject({
      name: 'child',
      base: parent,
    });
  }
});

test('a class that was never added has no findings of its own', () => {
  const classes = registry();
  expect(classes.check('standard').findings).toEqual([]);
  expect(classes.all.map(({ name }) => name)).toEqual(['default']);
});

test('a refused class cannot be chosen, and its tenants do not repeat the error', () => {
  const classes = registry();
  classes.add({ name: 'standard', spec: {} });
  expect(classes.isSound).toBe(true);
  classes.refuse('standard');
  expect(classes.resolve(choose('standard'))).toMatchObject({
    message: "must be a TenantClass without errors, got 'standard'",
  });
  expect(classes.isReported(choose('standard'), aboutClass)).toBe(true);
  expect(classes.isSound).toBe(false);
});

test('a tenant reports that its class does not exist', () => {
  expect(registry().isReported(choose('standard'), aboutClass)).toBe(false);
});

test('while a file of classes cannot be read, a tenant does not report that its class is missing', () => {
  const classes = registry();
  classes.refuseUnnamed();
  expect(classes.isUnusable(choose('standard'))).toBe(true);
  expect(classes.isReported(choose('standard'), aboutClass)).toBe(true);
});

test('tenants report the error of a class only if the caller that added it does not', () => {
  for (const isReported of [true, false]) {
    const classes = registry();
    classes.add({ name: 'standard', spec: 7 as never }, { isReported });
    expect(classes.isUnusable(choose('standard'))).toBe(true);
    expect(classes.isReported(choose('standard'), aboutClass)).toBe(isReported);
  }
});
