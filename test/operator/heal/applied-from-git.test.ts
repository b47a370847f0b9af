import { expect, test } from '@jest/globals';
import { isAppliedFromGit } from '../../../operator/heal/applied-from-git.ts';
import { liveTenant } from '../given.ts';

test('an object came from Git when it has a mark of Argo CD, in either way, or of Flux', () => {
  const tracked = { 'argocd.argoproj.io/tracking-id': 'eu.acme:tenantry.dev/Tenant:/acme' };
  for (const marked of [
    { annotations: tracked },
    { labels: { 'app.kubernetes.io/instance': 'eu.acme' } },
    { labels: { 'kustomize.toolkit.fluxcd.io/name': 'tenants' } },
  ]) {
    expect(isAppliedFromGit(liveTenant({}, marked))).toBe(true);
  }
  for (const other of [
    {},
    { labels: tracked },
    { annotations: { 'app.kubernetes.io/instance': 'x' }, labels: { team: 'a' } },
  ]) {
    expect(isAppliedFromGit(liveTenant({}, other))).toBe(false);
  }
});
