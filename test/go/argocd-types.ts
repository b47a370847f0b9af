import type { StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import { testUnless } from '../skipping.ts';
import { buildGoFolder } from './build.ts';
import { linesOf } from './lines.ts';

/** An object for Argo CD's own types, with questions about it. */
export interface TypesQuestion {
  readonly kind: 'AppProject' | 'Application' | 'ApplicationSet';
  readonly object: object;
  /** Repositories and destinations to check against the project. */
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
  /** Requests of users to an Argo CD with this project alone and an empty argocd-rbac-cm. */
  readonly requests?: readonly TypesRequest[];
}

/** A request to check with Argo CD's RBAC. */
export interface TypesRequest {
  readonly user: string;
  readonly groups: readonly string[];
  readonly resource: string;
  readonly action: string;
  readonly object: string;
}

/** The answer of the types. */
export interface TypesAnswer {
  /** The spec as Argo CD writes it back. */
  readonly written: object | null;
  /** The reason why it is invalid; '' if it is valid. */
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

/** Defines a test that uses Argo CD's own types; it is skipped if they cannot be built. */
export function typesTest(sentence: string, body: (ask: AskTypes) => void): void {
  testUnless(reason)(sentence, () => {
    const stdio: StdioOptions = ['pipe', 'pipe', 'ignore'];
    body((questions) =>
      linesOf(program!, questions, { stdio }).map((line) => JSON.parse(line) as TypesAnswer),
    );
  });
}
