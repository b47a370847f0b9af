import type { StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import { testUnless } from '../skipping.ts';
import { buildGoFolder } from './build.ts';
import { linesOf } from './lines.ts';

/** What Argo CD's own types are asked of an object. */
export interface TypesQuestion {
  readonly kind: 'AppProject' | 'Application' | 'ApplicationSet';
  readonly object: object;
  /** What the project lets in, of these. */
  readonly repositories?: readonly string[];
  readonly destinations?: readonly {
    readonly server?: string;
    readonly name?: string;
    readonly namespace?: string;
  }[];
  readonly kinds?: readonly {
    readonly group: string;
    readonly kind: string;
    readonly name?: string;
    readonly namespaced: boolean;
  }[];
  /** What people ask of an Argo CD that has this project alone, and says nothing in argocd-rbac-cm. */
  readonly requests?: readonly TypesRequest[];
}

/** A question of Argo CD's RBAC. */
export interface TypesRequest {
  readonly user: string;
  readonly groups: readonly string[];
  readonly resource: string;
  readonly action: string;
  readonly object: string;
}

/** What they say. */
export interface TypesAnswer {
  /** The spec as Argo CD writes it back. */
  readonly written: object | null;
  /** Why it is not used; '' where it is. */
  readonly error: string;
  readonly repositories: readonly boolean[];
  readonly destinations: readonly boolean[];
  readonly kinds: readonly boolean[];
  readonly requests: readonly boolean[];
}

export type AskTypes = (questions: readonly TypesQuestion[]) => readonly TypesAnswer[];

const { program, reason } = await buildGoFolder(
  'argocdtypes',
  join(import.meta.dirname, 'argocdtypes'),
);

/** A test that asks Argo CD's own types: skipped where they cannot be built. */
export function typesTest(sentence: string, body: (ask: AskTypes) => void): void {
  testUnless(reason)(sentence, () => {
    const stdio: StdioOptions = ['pipe', 'pipe', 'ignore'];
    body((questions) =>
      linesOf(program!, questions, { stdio }).map((line) => JSON.parse(line) as TypesAnswer),
    );
  });
}
