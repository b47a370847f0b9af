import { expect, test } from '@jest/globals';
import { isAppliedFromGit } from '../../../operator/heal/revoker.ts';
import { liveTenant } from '../given.ts';

test('an object comes from Git if it has either mark of Argo CD, or that of Flux', () => {
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
