/** A toy tree that breaks each import rule once, and files that do what the rules allow. */
export interface ImportProbe {
  rule: string
  file: string
  /** What the file imports, as a type wherever a type is all it takes to break the rule. */
  imports: string
}

const server = 'apps/server/src'
const web = 'apps/web/src'

export const importProbes: ImportProbe[] = [
  probe('web-and-server-never-meet', `${web}/features/meets/a.ts`, '../../../../server/src/settings.ts'),
  probe('web-and-server-never-meet', `${server}/features/meets/b.ts`, '../../../../web/src/lib/utils.ts'),
  probe('packages-not-to-apps', 'packages/other/src/c.ts', '../../../apps/server/src/settings.ts'),
  probe('contracts-import-zod-only', 'packages/contracts/src/d.ts', 'node:fs'),
  probe('contracts-import-zod-only', 'packages/contracts/src/e.ts', '@catenary/domain'),
  probe('domain-imports-contracts-only', 'packages/domain/src/f.ts', 'node:path'),
  probe('domain-imports-contracts-only', 'packages/domain/src/g.ts', 'zod'),
  probe('feature-only-by-its-face', `${server}/features/one/h.ts`, '../library/library.policy.ts'),
  probe('feature-only-by-its-face', `${server}/features/one/bc.ts`, '../library/read-library.ts'),
  probe('feature-only-by-its-face', `${server}/bd.ts`, './features/library/read-library.ts'),
  probe('no-circle-of-features', `${server}/features/library/be.ts`, '../prompts/prompts.ts'),
  probe('no-circle-of-features', `${server}/features/library/bh.ts`, '../one/one.ts'),
  probe(
    'engine-imports-no-room-beside-it',
    `${server}/features/runs/engine/aw.ts`,
    '../history/run-history.ts',
  ),
  probe('history-imports-the-engine-alone', `${server}/features/runs/history/ay.ts`, '../ratings/ratings.ts'),
  probe('nobody-reaches-through-runs', `${server}/features/runs/ratings/ax.ts`, '../runs.ts'),
  probe('db-only-from-features', `${server}/platform/log/i.ts`, '../../database/statements/executor.ts'),
  probe('features-see-only-the-executor', `${server}/features/one/k.ts`, '../../database/open/client.ts'),
  probe(
    'features-see-only-the-executor',
    `${server}/features/one/operations/l.ts`,
    '../../../database/open/client.ts',
  ),
  probe('policies-reach-no-rows', `${server}/features/one/j.policy.ts`, './one.sql.ts'),
  probe('operations-know-no-transport', `${server}/features/one/n.sql.ts`, '../../platform/http/server.ts'),
  probe('operations-know-no-transport', `${server}/features/one/o.sql.ts`, '../../platform/jobs/job-rows.ts'),
  probe(
    'operations-know-no-transport',
    `${server}/features/one/operations/bg.ts`,
    '../../../platform/http/server.ts',
  ),
  probe(
    'operations-know-no-transport',
    `${server}/features/one/p.policy.ts`,
    '../../platform/http/server.ts',
  ),
  probe('job-rows-only-in-platform-jobs', `${server}/features/one/s.sql.ts`, '../../database/schema/jobs.ts'),
  probe('fastify-only-at-the-edge', `${server}/features/one/q.ts`, 'fastify'),
  probe('fastify-only-at-the-edge', `${server}/features/one/r.ts`, '@fastify/cors'),
  probe('model-sdks-nowhere', `${server}/features/one/t.ts`, '@ai-sdk/openai'),
  probe('model-sdks-nowhere', `${server}/features/one/u.ts`, 'ai'),
  probe('model-sdks-nowhere', `${server}/platform/models/aw.ts`, 'openai'),
  probe('prometheus-only-in-platform-metrics', `${server}/features/one/bz.ts`, 'prom-client'),
  probe('redis-only-in-platform-bus', `${server}/features/one/ca.ts`, 'ioredis'),
  probe('mail-only-in-platform-mail', `${server}/features/one/v.ts`, 'nodemailer'),
  probe('auth-only-in-wrapper', `${server}/features/accounts/w.ts`, 'better-auth'),
  probe('mcp-only-in-its-feature', `${server}/features/mcps/w.ts`, '@modelcontextprotocol/server'),
  probe('password-hash-only-beside-auth', `${server}/features/one/x.ts`, '@node-rs/argon2'),
  probe('undici-only-in-its-wrappers', `${server}/features/one/y.ts`, 'undici'),
  probe('undici-only-in-its-wrappers', `${server}/platform/mail/ar.ts`, 'undici'),
  probe('address-ranges-only-in-the-guard', `${server}/features/one/as.ts`, 'ipaddr.js'),
  connects(`${server}/features/one/at.ts`, 'node:https'),
  connects(`${server}/platform/models/au.ts`, 'node:net'),
  connects(`${server}/platform/mail/av.ts`, 'node:dns/promises'),
  connects(`${server}/commands/aw.ts`, 'node:http'),
  probe('archives-only-in-backups', `${server}/commands/ax.ts`, 'modern-tar'),
  probe('passphrases-only-in-secrets', `${server}/keeping/backup/ay.ts`, 'age-encryption'),
  probe('driver-only-in-db', `${server}/features/one/z.ts`, 'drizzle-orm'),
  probe('driver-only-in-db', `${server}/platform/http/aa.ts`, 'pg'),
  probe('driver-only-in-db', `${server}/platform/http/ab.ts`, '@electric-sql/pglite'),
  probe('database-stands-on-nothing', `${server}/database/open/ca.ts`, '../../platform/jobs/job-rows.ts'),
  probe('database-stands-on-nothing', `${server}/database/open/cb.ts`, '../../keeping/backup/pack-backup.ts'),
  probe('platform-not-to-features', `${server}/platform/log/ac.ts`, '../../features/library/library.ts'),
  probe('platform-not-to-features', `${server}/keeping/move/ad.ts`, '../../features/library/library.ts'),
  probe(
    'keeping-only-from-backups',
    `${server}/features/one/cc.sql.ts`,
    '../../keeping/backup/pack-backup.ts',
  ),
  probe('keeping-only-from-backups', `${server}/platform/log/cd.ts`, '../../keeping/backup/pack-backup.ts'),
  probe(
    'features-see-only-the-executor',
    `${server}/features/backups/ce.ts`,
    '../../keeping/backup/pack-backup.ts',
  ),
  probe('app-only-from-main', `${server}/features/one/ae.ts`, '../../app.ts'),
  probe('app-only-from-main', `${server}/platform/log/af.ts`, '../../main.ts'),
  probe('web-components-not-to-features', `${web}/components/ag.tsx`, '../features/one/one-card.tsx'),
  probe(
    'web-components-not-to-features',
    `${web}/components/bi.tsx`,
    '../features/library/tags/tag-chip.tsx',
  ),
  probe('web-components-not-to-features', `${web}/lib/bj.ts`, '../features/library/tags/tag-chip.tsx'),
  probe('web-lib-not-to-components', `${web}/lib/ay.ts`, '../components/ui/button.tsx'),
  probe('web-components-know-no-noun', `${web}/components/bk.tsx`, '@catenary/contracts'),
  probe('web-features-not-to-app', `${web}/features/one/ah.tsx`, '../../app/router.tsx'),
  probe('web-features-lead-down', `${web}/features/two/ai.tsx`, '../one/one-card.tsx'),
  probe('web-features-lead-down', `${web}/features/runs/bl.tsx`, '../chains/chains.queries.ts'),
  probe(
    'chain-runs-import-no-room-beside-them',
    `${web}/features/chains/run/az.tsx`,
    '../steps/step-card.tsx',
  ),
  probe('app-rooms-lead-down', `${web}/app/dialogs/ba.tsx`, '../routes/one-route.tsx'),
  probe('app-rooms-lead-down', `${web}/app/routes/bb.tsx`, '../router.tsx'),
  probe('api-client-only-from-queries', `${web}/features/one/aj.tsx`, '../../lib/api-client.ts'),
  probe('ui-kit-knows-no-domain', `${web}/components/ui/ak.tsx`, '@catenary/contracts'),
  probe('ui-kit-knows-no-domain', `${web}/components/ui/al.tsx`, '../empty-state.tsx'),
  probe('no-circular', `${server}/features/one/egg.ts`, './hen.ts'),
  { rule: 'no-orphans', file: `${server}/features/one/orphan.ts`, imports: '' },
  probe('no-unresolvable', `${server}/features/one/am.ts`, './does-not-exist.ts'),
  probe('no-undeclared-package', `${server}/features/one/an.ts`, 'undeclared'),
  {
    rule: 'production-not-to-dev-packages',
    file: `${server}/features/one/ao.ts`,
    imports: "import 'dev-tool'",
  },
  probe('production-not-to-tests', `${server}/features/one/ap.ts`, '../../testing/build-user.ts'),
  probe('production-not-to-tests', `${web}/features/one/aq.tsx`, './one.test.tsx'),
]

/** Files that the probes import, and uses of everything restricted in the place where it belongs. */
export const allowedFiles: Record<string, string> = {
  [`${server}/main.ts`]: lines('./app.ts', './database/open/client.ts', './settings.ts'),
  [`${server}/app.ts`]: lines('./features/one/one.ts'),
  [`${server}/settings.ts`]: lines('zod'),
  [`${server}/database/open/client.ts`]: lines('pg', '@electric-sql/pglite', 'drizzle-orm'),
  [`${server}/database/statements/executor.ts`]: lines('drizzle-orm'),
  [`${server}/features/one/one.sql.ts`]: lines(
    'drizzle-orm',
    '../../database/open/client.ts',
    '../../database/statements/executor.ts',
  ),
  [`${server}/features/one/read-one.ts`]: lines('./one.sql.ts', '../library/library.ts'),
  [`${server}/features/one/one.policy.ts`]: lines('../library/library.ts'),
  [`${server}/features/one/one.ts`]: lines('./read-one.ts', './operations/change-one.ts'),
  [`${server}/features/one/operations/change-one.ts`]: lines('../one.sql.ts', '../one.policy.ts'),
  [`${server}/features/one/hen.ts`]: lines('./egg.ts'),
  [`${server}/features/one/one.test.ts`]: lines('../../app.ts', '../../testing/build-user.ts', 'dev-tool'),
  [`${server}/platform/models/models.test.ts`]: lines('openai'),
  [`${server}/features/library/read-library.ts`]: lines(
    '../../database/statements/executor.ts',
    './library.policy.ts',
  ),
  [`${server}/features/library/library.ts`]: lines('./read-library.ts'),
  [`${server}/features/library/library.policy.ts`]: lines('@catenary/domain'),
  [`${server}/features/prompts/prompts.ts`]: lines('../library/library.ts'),
  [`${server}/features/runs/runs.ts`]: lines('./history/run-history.ts'),
  [`${server}/features/runs/history/run-history.ts`]: lines('../engine/engine.ts'),
  [`${server}/features/runs/ratings/ratings.ts`]: lines('../history/run-history.ts'),
  [`${server}/features/runs/engine/engine.ts`]: lines('../../library/library.ts'),
  [`${server}/features/accounts/better-auth.ts`]: lines('better-auth'),
  [`${server}/features/accounts/passwords.ts`]: lines('@node-rs/argon2'),
  [`${server}/platform/http/server.ts`]: lines('fastify', '@fastify/cors', 'node:http'),
  [`${server}/database/schema/jobs.ts`]: lines('drizzle-orm'),
  [`${server}/platform/jobs/job-rows.ts`]: lines('drizzle-orm', '../../database/schema/jobs.ts'),
  [`${server}/platform/models/models.ts`]: lines('undici'),
  [`${server}/platform/mail/mail.ts`]: lines('nodemailer'),
  [`${server}/platform/metrics/metrics.ts`]: lines('prom-client'),
  [`${server}/platform/outbound/fetch.ts`]: `${lines('undici', 'ipaddr.js')}\nimport 'node:net'`,
  [`${server}/platform/control/serve-control.ts`]: "import 'node:http'",
  [`${server}/platform/secrets/sealed-key.ts`]: lines('age-encryption'),
  [`${server}/keeping/backup/pack-backup.ts`]: lines('modern-tar'),
  [`${server}/testing/build-user.ts`]: lines('../app.ts', 'dev-tool'),
  [`${web}/app/router.tsx`]: lines('../features/one/one-card.tsx', './routes/one-route.tsx'),
  [`${web}/app/routes/one-route.tsx`]: lines(
    '../dialogs/one-dialog.tsx',
    '../../features/one/one.queries.ts',
  ),
  [`${web}/app/dialogs/one-dialog.tsx`]: lines('../../lib/utils.ts'),
  [`${web}/components/empty-state.tsx`]: lines('./ui/button.tsx'),
  [`${web}/components/ui/button.tsx`]: lines('../../lib/utils.ts'),
  [`${web}/features/chains/steps/step-card.tsx`]: lines('../run/run-card.tsx'),
  [`${web}/features/chains/run/run-card.tsx`]: lines('../chains.queries.ts'),
  [`${web}/features/chains/chains.queries.ts`]: lines('../../lib/api-client.ts'),
  [`${web}/features/one/one.queries.ts`]: lines('../../lib/api-client.ts', '@catenary/contracts'),
  [`${web}/features/one/one.test.tsx`]: lines('../chains/steps/step-card.tsx'),
  [`${web}/features/one/one-card.tsx`]: lines(
    '../../components/empty-state.tsx',
    '../library/tags/tag-chip.tsx',
  ),
  [`${web}/features/library/tags/tag-chip.tsx`]: lines('@catenary/contracts'),
  [`${web}/features/runs/run-badge.tsx`]: lines('../library/tags/tag-chip.tsx'),
  [`${web}/lib/api-client.ts`]: lines('./utils.ts'),
  [`${web}/lib/utils.ts`]: lines('@catenary/domain'),
  'packages/contracts/src/index.ts': lines('zod'),
  'packages/domain/src/index.ts': lines('@catenary/contracts'),
}

/** Packages that the toy tree's server declares, besides `dev-tool` of the root and one that is not declared. */
export const declaredPackages = [
  'zod',
  'fastify',
  '@fastify/cors',
  'ai',
  '@ai-sdk/openai',
  'openai',
  'nodemailer',
  'ioredis',
  'prom-client',
  'better-auth',
  '@modelcontextprotocol/server',
  '@node-rs/argon2',
  'undici',
  'ipaddr.js',
  'modern-tar',
  'age-encryption',
  'drizzle-orm',
  'pg',
  '@electric-sql/pglite',
]

function probe(rule: string, file: string, imported: string): ImportProbe {
  return { rule, file, imports: lines(imported) }
}

function connects(file: string, imported: string): ImportProbe {
  return { rule: 'connections-only-from-the-guard', file, imports: `import '${imported}'` }
}

function lines(...imported: string[]): string {
  return imported.map((from, index) => `export type { T as T${index} } from '${from}'`).join('\n')
}
