/** The programs of a control plane. */
export const programs = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
] as const;
export type Program = (typeof programs)[number];

/** The path of each program. */
export type Binaries = Readonly<Record<Program, string>>;
