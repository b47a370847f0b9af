import type { NewFile } from '../new-files/write-new-files.ts';
import type { OwnManifest } from '../own-manifest.ts';
import type { RepositoryAnswers, RepositoryFolder } from './answers.ts';
import { renderClass, renderPlatform, renderTenant } from './declarations.ts';
import { renderPackage } from './package-file.ts';
import { renderPipelines } from './pipelines.ts';
import { renderReview } from './review-files.ts';
import { renderReadme } from './readme.ts';
import { renderTypeScript } from './typescript-files.ts';

/** What a new repository takes from the package of the running Tenantry. */
export interface OwnPackage {
  readonly manifest: OwnManifest;
  /** Reads the component of GitLab. */
  readonly component: () => string;
}

/** Renders all files of a new platform repository, sorted by path. The answers must be valid. */
export function renderRepository(
  answers: RepositoryAnswers,
  folder: RepositoryFolder,
  { manifest: own, component }: OwnPackage,
): NewFile[] {
  const isTypeScript = answers.language === 'typescript';
  const [node = ''] = own.devDependencies['node']?.split('.') ?? [];
  const files = [
    {
      path: '.gitattributes',
      text: '# On every machine, the rendered files have the same bytes.\ndist/** -text\n',
    },
    { path: '.gitignore', text: 'node_modules/\n.dist.tenantry/\n' },
    renderPackage(answers, own),
    renderReadme(answers),
    renderPlatform(answers, folder),
    ...(isTypeScript ? renderTypeScript(answers) : [renderClass(), renderTenant(answers)]),
    ...renderPipelines(answers, node),
    ...renderReview(answers, node, component),
  ];
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
