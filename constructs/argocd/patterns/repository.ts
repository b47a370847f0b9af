import { compileGlob } from './glob.ts';

/** Matches an SSH address: `git@git.example.com:shop/web.git` is the same as `ssh://git@git.example.com/shop/web`. */
const SSH = /^(?:ssh:\/\/)?[^/:]*?@[^@]+$/;

/** Normalizes the address of a repository as Argo CD compares it: in lower case, without `.git`. */
export function normalizeRepository(address: string): string {
  const text = address.trim().toLowerCase();
  const isShort = SSH.test(text) && !text.startsWith('ssh://');
  const long = isShort ? text.replace(':', '/') : text;
  return long.replace(/\.git$/, '').replace(/^ssh:\/\//, '');
}

/**
 * Whether a pattern of a project matches repositories of more than one host. A pattern with `!` excludes what it
 * matches and allows everything else, on any host.
 */
export function matchesAnyHost(pattern: string): boolean {
  if (pattern.startsWith('!')) return true;
  const [, host = ''] = /^(?:[^/]*:\/\/)?([^/]*)/.exec(normalizeRepository(pattern)) ?? [];
  return /[*?[{\\]/.test(host);
}

/**
 * Whether a project with these patterns allows a repository, as Argo CD decides it.
 * Source: IsSourcePermitted in pkg/apis/application/v1alpha1/app_project_types.go of argo-cd
 */
export function permitsRepository(patterns: readonly string[], address: string): boolean {
  const repository = normalizeRepository(address);
  let isPermitted = false;
  for (const pattern of patterns) {
    const isDenied = pattern.startsWith('!');
    const normalized = normalizeRepository(isDenied ? pattern.slice(1) : pattern);
    const matches =
      (!isDenied && normalized === '*') || (compileGlob(normalized, '/')?.(repository) ?? false);
    if (isDenied && matches) return false;
    if (matches || isDenied) isPermitted = true;
  }
  return isPermitted;
}
