import { constructs, eager } from './constructs.ts';
import { cueJson, cueYaml } from './cue.ts';
import { declared } from './declared.ts';
import { floor } from './floor.ts';
import { helm } from './helm.ts';
import { jsonnet } from './jsonnet.ts';
import { kclJson, kclYaml } from './kcl.ts';
import { kustomize } from './kustomize.ts';
import type { Peer } from './peer.ts';
import { stock } from './stock.ts';

/** All peers in the order of their runs. Tenantry's own come first, and all others are compared with them. */
export const peers: readonly Peer[] = [
  declared,
  constructs,
  helm,
  jsonnet,
  cueJson,
  cueYaml,
  kclJson,
  kclYaml,
  floor,
  eager,
  stock,
  kustomize,
];
