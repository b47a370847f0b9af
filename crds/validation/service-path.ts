import { show, type Path } from '../../kube/problem.ts';
import type { Findings } from '../../kube/finding.ts';
import { isSubdomain, A_SUBDOMAIN } from '../../kube/names.ts';

/** Checks the URL path of a webhook's service. */
export function checkServicePath(urlPath: string, path: Path, findings: Findings): void {
  if (urlPath === '' || urlPath === '/') return;
  const wrong = (must: string): void => {
    findings.addError(path, `must ${must}, got ${show(urlPath)}`, 'conversion-service');
  };
  if (!urlPath.startsWith('/')) wrong("start with '/'");
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/');
  if (urlPath === '//' || segments.includes('')) wrong('have no empty segment');
  else if (!segments.every(isSubdomain)) wrong(`have segments that are each ${A_SUBDOMAIN}`);
}
