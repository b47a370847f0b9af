import { describe } from '@jest/globals';
import { configMap, tenant, tenantClass } from '../apps/fleet.ts';
import { attempts, type Attempt } from './attempt.ts';

const table = {
  shared: ['resources'],
  folders: [
    { folder: 'finance', tenants: ['payments', 'pay-*'], labels: [{ key: 'audit' }] },
    { folder: 'finance/vault', tenants: [] },
    { folder: 'labs', tenants: ['sandbox-*'], namespaces: ['sandbox-*'] },
    { folder: 'teams/*', tenants: ['*'], labels: [{ key: 'audit', values: ['light'] }] },
  ],
};

const classes = {
  'tenants/classes/regulated.yaml': tenantClass('regulated', {
    allowedTenants: {
      selector: {
        matchExpressions: [{ key: 'audit', operator: 'In', values: ['cards', 'light'] }],
      },
    },
  }),
  'tenants/classes/paying.yaml': tenantClass('paying', { allowedTenants: { names: ['pay*'] } }),
};

const labelled = (name: string, labels: object, spec: object = {}): string =>
  tenant(name, spec).replace(
    `metadata: {name: ${name}}`,
    `metadata: {name: ${name}, labels: ${JSON.stringify(labels)}}`,
  );

/** Mallory may write all files of `tenants/labs`, and already has one there. */
const written = (files: Attempt['files'], refused?: string): Attempt => ({
  platform: { delegation: table },
  files: { ...classes, 'tenants/mallory.yaml': '# nothing here\n', ...files },
  ...(refused !== undefined && { refused }),
});

const open = { ceilings: { podSecurity: 'privileged' } };

/** Returns a class whose kind is spelled this way. */
const spelled = (kind: string): string =>
  tenantClass('open', open).replace('kind: TenantClass', `kind: ${kind}`);

describe('without a table', () => {
  attempts({
    "a class without ceilings in the tenant's own file": {
      files: {
        'tenants/mallory.yaml': `${tenant('mallory', { className: 'open' })}---\n${tenantClass('open', open)}`,
      },
      refused: 'delegation',
    },
    'a class whose kind is written with escapes': {
      files: {
        'tenants/mallory.yaml': `${tenant('mallory')}---\n${spelled(String.raw`"Tenant\x43lass"`)}`,
      },
      refused: 'delegation',
    },
    'a class whose kind continues in the next line': {
      files: { 'tenants/mallory.yaml': spelled('"Tenant\\\n  Class"') },
      refused: 'delegation',
    },
    'a class in a folder with the name of the class folder': {
      files: { 'tenants/team/classes/open.yaml': tenantClass('open', open) },
      refused: 'delegation',
    },
    'a class in a folder whose name differs by case': {
      files: { 'tenants/Classes/open.yaml': tenantClass('open', open) },
      refused: 'delegation',
    },
    'a second class of the same name, in a file that sorts before the first': {
      files: { 'tenants/a.yaml': tenantClass('standard', open) },
      refused: 'delegation',
    },
    'a platform file next to the tenants': {
      files: {
        'tenants/platform.yaml':
          'apiVersion: tenantry.dev/v1alpha1\nkind: Platform\nmetadata: {name: mine}\n',
      },
      refused: 'kind',
    },
    'a label by which a class selects tenants': {
      tenant: { className: 'regulated' },
      metadata: { labels: { audit: 'cards' } },
      files: classes,
      refused: 'delegated-label',
    },
    'such a label for later, with another class today': {
      metadata: { labels: { audit: 'cards' } },
      files: classes,
      refused: 'delegated-label',
    },
    'the key of such a label with an ineffective value': {
      metadata: { labels: { audit: 'none' } },
      files: classes,
    },
    'a class that includes a file of a team': {
      files: {
        'tenants/classes/more.yaml': tenantClass('more', {
          defaults: { resources: [{ file: '../team/resources/map.yaml' }] },
        }),
        'tenants/team/resources/map.yaml': configMap('map'),
      },
      refused: 'file',
    },
    'a file that lies outside of the folder': {
      tenant: { resources: [{ file: '../secret.yaml' }] },
      files: { 'secret.yaml': configMap('map') },
      refused: 'file',
    },
    "a file of a sibling folder with the folder's name as a prefix": {
      tenant: { resources: [{ file: '../tenants-of-others/map.yaml' }] },
      files: { 'tenants-of-others/map.yaml': configMap('map') },
      refused: 'file',
    },
    'a hidden file, which may contain private data of a tool': {
      tenant: { resources: [{ file: '.git/config' }] },
      files: { 'tenants/.git/config': configMap('map') },
      refused: 'file',
    },
    'a tenant next to the classes': {
      files: { 'tenants/classes/own.yaml': tenant('own') },
    },
  });
});

describe('with a table', () => {
  attempts({
    'a tenant with a permitted name': written({
      'tenants/labs/a.yaml': tenant('sandbox-a', { namespaces: [{ name: 'sandbox-b' }] }),
    }),
    'a name by which another class selects tenants': written(
      {
        'tenants/labs/a.yaml': tenant('pay-day', {
          className: 'paying',
          namespacePrefix: 'sandbox-',
        }),
      },
      'delegation',
    ),
    'the name of an existing tenant, in a file that sorts before it': written(
      {
        'tenants/finance/payments.yaml': tenant('payments'),
        'tenants/a.yaml': tenant('payments'),
      },
      'delegation',
    ),
    'a valid tenant and an invalid one in one file': written(
      { 'tenants/labs/a.yaml': `${tenant('sandbox-a')}---\n${tenant('payments')}` },
      'delegation',
    ),
    'a namespace with a name of others': written(
      { 'tenants/labs/a.yaml': tenant('sandbox-a', { namespaces: [{ name: 'payments-new' }] }) },
      'delegation',
    ),
    'such a namespace by a prefix': written(
      {
        'tenants/labs/a.yaml': tenant('sandbox-a', {
          namespacePrefix: 'payments-',
          namespaces: [{ name: 'new' }],
        }),
      },
      'delegation',
    ),
    'a tenant outside all folders': written(
      { 'tenants/a.yaml': tenant('sandbox-a') },
      'delegation',
    ),
    'a tenant in a folder without an owner': written(
      { 'tenants/labs-2/a.yaml': tenant('sandbox-a') },
      'delegation',
    ),
    'a tenant directly in a folder of which only subfolders have owners': written(
      { 'tenants/teams/a.yaml': tenant('sandbox-a') },
      'delegation',
    ),
    'a tenant in the folder of classes': written(
      { 'tenants/classes/a.yaml': tenant('sandbox-a') },
      'delegation',
    ),
    'a class': written({ 'tenants/labs/open.yaml': tenantClass('open', open) }, 'delegation'),
    'a nested folder that takes away the rights of its parent': written(
      { 'tenants/finance/vault/a.yaml': tenant('payments') },
      'delegation',
    ),
    'a label by which a class selects tenants': written(
      {
        'tenants/labs/a.yaml': labelled(
          'sandbox-a',
          { audit: 'light' },
          { className: 'regulated' },
        ),
      },
      'delegated-label',
    ),
    'the same label if it is granted with any value': written({
      'tenants/finance/a.yaml': labelled('pay-a', { audit: 'cards' }, { className: 'regulated' }),
    }),
    'the same label if it is granted with that value': written({
      'tenants/teams/a/a.yaml': labelled('a', { audit: 'light' }, { className: 'regulated' }),
    }),
    'the same label if it is granted with another value': written(
      {
        'tenants/teams/a/a.yaml': labelled('a', { audit: 'cards' }, { className: 'regulated' }),
      },
      'delegated-label',
    ),
    "a file of another team's folder": written(
      {
        'tenants/labs/a.yaml': tenant('sandbox-a', {
          resources: [{ file: '../finance/resources/map.yaml' }],
        }),
        'tenants/finance/resources/map.yaml': configMap('map'),
      },
      'file',
    ),
    'a file of another folder in the same row': written(
      {
        'tenants/teams/a/a.yaml': tenant('a', { resources: [{ file: '../b/map.json' }] }),
        'tenants/teams/b/map.json': configMap('map'),
      },
      'file',
    ),
    'a file of the folder of classes': written(
      {
        'tenants/labs/a.yaml': tenant('sandbox-a', {
          resources: [{ file: '../classes/resources/map.yaml' }],
        }),
        'tenants/classes/resources/map.yaml': configMap('map'),
      },
      'file',
    ),
    'a file of a deeper folder of another owner': written(
      {
        'tenants/finance/a.yaml': tenant('pay-a', {
          resources: [{ file: 'vault/resources/map.yaml' }],
        }),
        'tenants/finance/vault/resources/map.yaml': configMap('map'),
      },
      'file',
    ),
    'a file of a shared folder': written({
      'tenants/labs/a.yaml': tenant('sandbox-a', {
        resources: [{ file: '../resources/deep/map.yaml' }],
      }),
      'tenants/resources/deep/map.yaml': configMap('map'),
    }),
    "a file of the team's own folder": written({
      'tenants/labs/deep/a.yaml': tenant('sandbox-a', {
        resources: [{ file: '../more/map.yaml' }],
      }),
      'tenants/labs/more/resources/none.yaml': configMap('map'),
      'tenants/labs/more/map.yaml': '# nothing to declare\n',
    }),
  });
});

const folder = (name: string): Attempt => ({
  platform: { delegation: { folders: [{ folder: name, tenants: ['*'] }] } },
  refused: 'schema',
});

describe('a folder of the table that could be read in two ways', () => {
  attempts({
    'is the folder above': folder('../tenants'),
    'is absolute': folder('/finance'),
    'ends with a slash': folder('finance/'),
    'has an empty name': folder('finance//a'),
    'goes up and down again': folder('finance/../labs'),
    'is hidden': folder('.git'),
    'is the current folder, spelled differently': folder('./finance'),
    'has a glob in a name': folder('fin*'),
    'has a glob for any depth': folder('finance/**'),
    'has a letter that Unicode can encode in two ways': folder('d\u00fcsseldorf'),
    'has a backslash': folder('finance\\\\a'),
    'is empty': folder(''),
    'is there twice': {
      platform: {
        delegation: {
          folders: [
            { folder: 'a', tenants: ['a'] },
            { folder: 'a', tenants: ['*'] },
          ],
        },
      },
      refused: 'schema',
    },
    'is as specific as another one that can match the same': {
      platform: {
        delegation: {
          folders: [
            { folder: 'a/*', tenants: ['a'] },
            { folder: '*/b', tenants: ['*'] },
          ],
        },
      },
      refused: 'delegation',
    },
    'matches all folders': {
      platform: { delegation: { folders: [{ folder: '.', tenants: ['mallory'] }] } },
    },
  });
});
