import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  computeAdminToken,
  buildKubeconfig,
  generateSigningKeys,
  type Authority,
} from './credentials.ts';

/** Files of one cluster, all of them in its folder. */
export interface ClusterFiles {
  /** etcd listens on a socket of the file system: it needs no port, and other users cannot reach it. */
  readonly etcdSocket: string;
  readonly etcdData: string;
  readonly auditLog: string;
  readonly inFolder: (name: string) => string;
}

/** Logs writes with their bodies, and reads without. Health checks are left out. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', nonResourceURLs: ['/readyz*', '/livez*', '/healthz*'] },
    { level: 'Request', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
    { level: 'Metadata' },
  ],
};

/**
 * Writes keys, certificates, the administrator's token and the audit policy; tokens that were signed
 * before stay valid.
 */
export function writeFiles(folder: string, authority: Authority): ClusterFiles {
  const inFolder = (name: string) => join(folder, name);
  const write = (name: string, text: string) =>
    writeFileSync(inFolder(name), text, { mode: 0o600 });
  const hosts = ['127.0.0.1', '10.0.0.1', 'localhost', 'kubernetes.default.svc'];
  const serving = authority.issue({ commonName: 'kube-apiserver', hosts });
  write('ca.crt', authority.pair.certificate);
  write('server.crt', serving.certificate);
  write('server.key', serving.key);
  if (!existsSync(inFolder('service-account.key'))) {
    const { privateKey, publicKey } = generateSigningKeys();
    write('service-account.key', privateKey);
    write('service-account.pub', publicKey);
  }
  write('audit-policy.json', JSON.stringify(auditPolicy));
  write('tokens.csv', `${computeAdminToken(authority.pair)},admin,admin,"system:masters"\n`);
  mkdirSync(inFolder('kubeconfigs'), { recursive: true });
  rmSync(inFolder('etcd.sock'), { force: true });
  return {
    etcdSocket: inFolder('etcd.sock'),
    etcdData: inFolder('etcd'),
    auditLog: inFolder('audit.log'),
    inFolder,
  };
}

export function etcdFlags({ etcdSocket, etcdData }: ClusterFiles): string[] {
  return [
    `--data-dir=${etcdData}`,
    `--listen-client-urls=unix://${etcdSocket}`,
    '--advertise-client-urls=http://127.0.0.1:1', // for other members, of which there are none
    '--listen-peer-urls=http://127.0.0.1:0',
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

/** Returns the flags of the API server. `more` comes last: a repeated flag overrides an earlier one. */
export function apiServerFlags(
  { etcdSocket, auditLog, inFolder }: ClusterFiles,
  port: number,
  more: readonly string[],
): string[] {
  return [
    `--etcd-servers=unix://${etcdSocket}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    '--endpoint-reconciler-type=none',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--allow-privileged=true',
    `--cert-dir=${inFolder('certificates')}`,
    `--tls-cert-file=${inFolder('server.crt')}`,
    `--tls-private-key-file=${inFolder('server.key')}`,
    `--client-ca-file=${inFolder('ca.crt')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${inFolder('service-account.pub')}`,
    `--service-account-signing-key-file=${inFolder('service-account.key')}`,
    `--token-auth-file=${inFolder('tokens.csv')}`,
    '--authorization-mode=Node,RBAC',
    `--audit-policy-file=${inFolder('audit-policy.json')}`,
    `--audit-log-path=${auditLog}`,
    '--audit-log-maxsize=1024',
    ...more,
  ];
}

/**
 * Returns the flags of the controller manager. The two controllers that need heartbeats of kubelets are
 * off, as test nodes send none. Every controller uses its own service account, as in a cluster of
 * kubeadm, so that the audit log names it.
 */
export function controllerManagerFlags({ inFolder }: ClusterFiles, kubeconfig: string): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${inFolder('service-account.key')}`,
    `--root-ca-file=${inFolder('ca.crt')}`,
    '--use-service-account-credentials',
    '--leader-elect=false',
    '--kube-api-qps=1000', // not 20: thirty controllers request their tokens at once
    '--kube-api-burst=2000',
    '--secure-port=0',
    '--controllers=*,-node-lifecycle-controller,-taint-eviction-controller',
  ];
}

export function schedulerFlags(kubeconfig: string): string[] {
  return [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'];
}

/** Writes a kubeconfig file for a component of the cluster, and returns its path. */
export function componentKubeconfig(
  files: ClusterFiles,
  authority: Authority,
  server: string,
  commonName: string,
  organizations: readonly string[] = [],
): string {
  const path = files.inFolder(`${commonName.replaceAll(':', '-')}.kubeconfig`);
  const { certificate, key } = authority.issue({ commonName, organizations });
  const credentials = { server, ca: authority.pair.certificate, cert: certificate, key };
  writeFileSync(path, buildKubeconfig(credentials), { mode: 0o600 });
  return path;
}
