import type { Json } from '../../kube/object.ts';
import type { Findings } from '../../kube/finding.ts';
import { byteLength, MAX_ANNOTATIONS } from '../../kube/names.ts';

/** Bytes of JSON that a request may have. */
const REQUEST = 3 * 1024 * 1024;
/** Bytes that etcd takes by default, less some room for what the server adds. */
const STORED = 1_500_000;

/** Checks the size of a definition in the JSON form that is sent. */
export function checkSize(manifest: Json, findings: Findings): void {
  const size = byteLength(JSON.stringify(manifest));
  if (size > REQUEST) {
    const message = `must be at most ${REQUEST} bytes of JSON, got ${size}`;
    findings.addError([], message, 'size');
  } else if (size > STORED) {
    const message = `must fit into a request of etcd (1.5 MiB unless set otherwise), got ${size} bytes`;
    findings.addNotChecked([], message, 'size');
  }
  if (size > MAX_ANNOTATIONS) {
    const message = `must be at most ${MAX_ANNOTATIONS} bytes of JSON for 'kubectl apply' without --server-side, got ${size}`;
    findings.addWarning([], message, 'client-side-apply');
  }
}
