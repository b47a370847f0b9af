import { constructs, eager } from './constructs.ts';
import { declared } from './declared.ts';
import { floor } from './floor.ts';
import { helm } from './helm.ts';
import { jsonnet } from './jsonnet.ts';
import { kustomize } from './kustomize.ts';
import type { Peer } from './peer.ts';
import { stock } from './stock.ts';

/** In the order in which they run; ours come first, all others are compared with them. */
export const peers: readonly Peer[] = [
  declared,
  constructs,
  helm,
  jsonnet,
  floor,
  eager,
  stock,
  kustomize,
];
