import { isDeepStrictEqual } from 'node:util';
import type { Findings } from '../../../../kube/finding.ts';
import { A_DNS_LABEL, isDnsLabel } from '../../../../kube/names.ts';
import { show, type Path } from '../../../../kube/problem.ts';
import { parseQuantity } from '../../../../kube/quantity.ts';
import { buildVolume } from '../container.ts';
import { CERTIFICATES, CERTIFICATES_PATH } from '../names.ts';
import type { AudienceToken, MountedFiles } from '../pod-spec.ts';
import type { OperatorSpec } from '../spec.ts';
import { reportObjectName } from './name-of-object.ts';

/** Reports errors in the files that are mounted into the containers of the pods. */
export function reportFiles({ files = [], sidecars = [] }: OperatorSpec, findings: Findings): void {
  const volumes = new Map(files.map((one) => [one.name, one]));
  reportMounts(['files'], files, findings);
  for (const [i, sidecar] of sidecars.entries()) {
    const at = ['sidecars', i, 'files'];
    reportMounts(at, sidecar.files ?? [], findings);
    for (const [j, one] of (sidecar.files ?? []).entries()) {
      const other = volumes.get(one.name) ?? one;
      volumes.set(one.name, other);
      if (isDeepStrictEqual(buildVolume(one), buildVolume(other))) continue;
      const message = `must be what the volume ${show(one.name)} is of in the other container, got another one`;
      findings.addError([...at, j, 'from'], message, 'files');
    }
  }
}

/** Into one container. */
function reportMounts(all: Path, files: readonly MountedFiles[], findings: Findings): void {
  const names = new Set([CERTIFICATES]);
  const paths = new Set([CERTIFICATES_PATH]);
  for (const [i, { name, path, from }] of files.entries()) {
    const at = [...all, i];
    if (!isDnsLabel(name)) {
      findings.addError([...at, 'name'], `must be ${A_DNS_LABEL}, got ${show(name)}`, 'files');
    } else if (names.has(name)) {
      findings.addError(
        [...at, 'name'],
        `must be a name of its own, got ${show(name)} again`,
        'files',
      );
    }
    if (!/^\/[^:]+$/.test(path) || path.split('/').includes('..')) {
      const message = `must be the path of a folder from '/' on, without ':' and '..', got ${show(path)}`;
      findings.addError([...at, 'path'], message, 'files');
    } else if (paths.has(path)) {
      findings.addError(
        [...at, 'path'],
        `must be a path of its own, got ${show(path)} again`,
        'files',
      );
    }
    names.add(name);
    paths.add(path);
    if ('configMap' in from)
      reportObjectName([...at, 'from', 'configMap'], from.configMap, findings);
    if ('secret' in from) reportObjectName([...at, 'from', 'secret'], from.secret, findings);
    if ('token' in from) reportToken([...at, 'from', 'token'], from.token, findings);
    const size = 'emptyDir' in from ? from.emptyDir.sizeLimit : undefined;
    if (size === undefined || parseQuantity(size) !== undefined) continue;
    const message = `must be a quantity such as '64Mi', got ${show(size)}`;
    findings.addError([...at, 'from', 'emptyDir', 'sizeLimit'], message, 'files');
  }
}

/** Source: Kubernetes 1.36, pkg/apis/core/validation, validateProjectionSources */
function reportToken(at: Path, { audience, lifetime }: AudienceToken, findings: Findings): void {
  if (audience === '') {
    findings.addError(
      [...at, 'audience'],
      'must say whom the token is for, got an empty text',
      'files',
    );
  }
  if (
    lifetime === undefined ||
    (Number.isInteger(lifetime) && lifetime >= 600 && lifetime <= 2 ** 32)
  )
    return;
  const message = `must be a whole number of seconds from 600 to ${2 ** 32}, got ${show(lifetime)}`;
  findings.addError([...at, 'lifetime'], message, 'files');
}
