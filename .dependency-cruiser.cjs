const SERVER = '^apps/server/src/'
const WEB = '^apps/web/src/'
const FEATURE = `${SERVER}features/([^/]+)/`
/** A feature's face is called as its folder. */
const FACE = `${SERVER}features/([^/]+)/\\1\\.ts$`
/** The features of the server, each below those that use it; what is not among them is used by none. */
const FEATURES = `
  activity mails accounts models webhooks spending idempotency google-drive library fills files
  records prompts chains variables test-suites runs traces schedules tokens
  evaluations exports imports doors examples backups instance
`.match(/[\w-]+/g)
/** The features of the web in the same way: each may import those before it, and what is not among them is imported by none. */
const WEB_FEATURES = `
  accounts groups library views model-settings files fills runs asks records variables schedules prompts prompt-runs evaluations
  chains
`.match(/[\w-]+/g)
const PRODUCTION = '^(apps|packages)/[^/]+/src/'
const TEST = '\\.test\\.tsx?$|/testing/'
const ROOT = `${SERVER}(main|program|version|(commands|keeping)/.+)\\.ts$`

/** Zones, cron lines and their words. */
const CALENDARS = 'luxon|@types/luxon|croner|cronstrue'
/** What tests are graded by, and the files that they come from. */
const GRADING = 'ajv|ajv-formats|dequal|fastest-levenshtein|yaml|csv-parse'

/** Each production file but the named ones is barred from a package. */
const packageOnlyIn = (name, packages, places) => ({
  name,
  severity: 'error',
  from: { path: '^(apps|packages)/', pathNot: [TEST, ...places] },
  to: { path: `node_modules/(${packages})/` },
})

/** The rules 1 to 8 of the architecture. Each has a probe that breaks it in scripts/import-rules.test.ts. */
module.exports = {
  forbidden: [
    // 1. Web and server never import each other; packages never import apps.
    {
      name: 'web-and-server-never-meet',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'packages-not-to-apps',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^apps/' },
    },

    // 2. Contracts know zod alone; the domain knows contracts alone, and what knows calendars and formats.
    {
      name: 'contracts-import-zod-only',
      severity: 'error',
      from: { path: '^packages/contracts/', pathNot: TEST },
      to: { pathNot: ['^packages/contracts/', 'node_modules/zod/'] },
    },
    {
      name: 'domain-imports-contracts-only',
      severity: 'error',
      from: { path: '^packages/domain/', pathNot: TEST },
      to: { pathNot: ['^packages/(domain|contracts)/', `node_modules/(${CALENDARS}|${GRADING})/`] },
    },

    // 3. A feature is reached by its face alone, and by none of those below it.
    {
      name: 'feature-only-by-its-face',
      severity: 'error',
      from: { path: [FEATURE, SERVER], pathNot: TEST },
      to: { path: `${SERVER}features/`, pathNot: [`${SERVER}features/$1/`, FACE] },
    },
    ...FEATURES.map((feature, place) => ({
      name: 'no-circle-of-features',
      severity: 'error',
      from: { path: `${SERVER}features/${feature}/`, pathNot: TEST },
      to: {
        path: `${SERVER}features/`,
        pathNot: `${SERVER}features/(${FEATURES.slice(0, place + 1).join('|')})/`,
      },
    })),

    // What every run stands on knows no kind of run.
    {
      name: 'engine-imports-no-room-beside-it',
      severity: 'error',
      from: { path: `${SERVER}features/runs/engine/`, pathNot: TEST },
      to: { path: `${SERVER}features/runs/`, pathNot: `${SERVER}features/runs/engine/` },
    },
    // Ratings and shares of runs stand on history, as do chain runs and who watches.
    {
      name: 'history-imports-the-engine-alone',
      severity: 'error',
      from: { path: `${SERVER}features/runs/history/`, pathNot: TEST },
      to: {
        path: `${SERVER}features/runs/`,
        pathNot: `${SERVER}features/runs/(history|engine)/`,
      },
    },
    {
      name: 'nobody-reaches-through-runs',
      severity: 'error',
      from: { path: `${SERVER}features/runs/[^/]+/`, pathNot: TEST },
      to: { path: `${SERVER}features/runs/[^/]+$` },
    },

    // 4. SQL in files of its own, which no policy reaches; no transport in either, nor in the gateway's operations.
    {
      name: 'db-only-from-features',
      severity: 'error',
      from: {
        path: SERVER,
        pathNot: [
          TEST,
          ROOT,
          FEATURE,
          `${SERVER}(database/|platform/jobs/|platform/(context|platform)\\.ts$)`,
        ],
      },
      to: { path: `${SERVER}database/`, pathNot: `${SERVER}database/failures/` },
    },
    {
      name: 'features-see-only-the-executor',
      severity: 'error',
      from: { path: FEATURE, pathNot: [TEST, '\\.sql\\.ts$'] },
      to: {
        path: `${SERVER}(database|keeping/(backup|move))/`,
        pathNot: `${SERVER}database/(failures/|statements/executor\\.ts$)`,
      },
    },
    {
      name: 'policies-reach-no-rows',
      severity: 'error',
      from: { path: '\\.policy\\.ts$' },
      to: { path: [`${SERVER}database/`, '\\.sql\\.ts$'] },
    },
    {
      name: 'operations-know-no-transport',
      severity: 'error',
      from: { path: ['\\.(sql|policy)\\.ts$', '/operations/[^/]+\\.ts$'] },
      to: { path: `${SERVER}platform/(http|jobs)/` },
    },

    {
      name: 'job-rows-only-in-platform-jobs',
      severity: 'error',
      from: { path: SERVER, pathNot: [TEST, `${SERVER}platform/jobs/`] },
      to: { path: `${SERVER}database/schema/jobs\\.ts$` },
    },

    // 5. Each library has one home.
    packageOnlyIn('fastify-only-at-the-edge', 'fastify|fastify-[^/]+|@fastify', [
      `${SERVER}platform/http/`,
      `${SERVER}app\\.ts$`,
    ]),
    // Their calls cost a multiple of our own: only tests ask by them.
    packageOnlyIn('model-sdks-nowhere', 'ai|@ai-sdk|openai|@anthropic-ai|@google', []),
    packageOnlyIn('prometheus-only-in-platform-metrics', 'prom-client', [`${SERVER}platform/metrics/`]),
    packageOnlyIn('redis-only-in-platform-bus', 'ioredis', [`${SERVER}platform/bus/`]),
    packageOnlyIn('mail-only-in-platform-mail', 'nodemailer', [`${SERVER}platform/mail/`]),
    packageOnlyIn('auth-only-in-wrapper', '@?better-auth', [`${SERVER}features/accounts/better-auth\\.ts$`]),
    packageOnlyIn('mcp-only-in-its-feature', '@modelcontextprotocol', [`${SERVER}features/doors/mcp/`]),
    packageOnlyIn('password-hash-only-beside-auth', '@node-rs', [`${SERVER}features/accounts/`]),
    packageOnlyIn('undici-only-in-its-wrappers', 'undici', [`${SERVER}platform/(models|outbound)/`]),
    packageOnlyIn('address-ranges-only-in-the-guard', 'ipaddr\\.js', [`${SERVER}platform/outbound/`]),
    {
      name: 'connections-only-from-the-guard',
      severity: 'error',
      from: {
        path: SERVER,
        // One only tells one version of an address from the other, one knows a socket of this machine alone.
        pathNot: [TEST, `${SERVER}(platform/(outbound|control)/|features/accounts/client-network\\.ts$)`],
      },
      to: {
        path: '^(node:)?(net|tls|http|https|http2|dgram|dns)(/|$)',
        dependencyTypes: ['core'],
        dependencyTypesNot: ['type-only'],
      },
    },
    packageOnlyIn('archives-only-in-backups', 'modern-tar', [`${SERVER}keeping/backup/`]),
    packageOnlyIn('passphrases-only-in-secrets', 'age-encryption', [`${SERVER}platform/secrets/`]),
    packageOnlyIn('driver-only-in-db', 'drizzle-orm|drizzle-kit|pg|@electric-sql', [
      `${SERVER}(database|keeping/(backup|deletions|move|upgrade)|platform/jobs)/`,
      '\\.sql\\.ts$',
      '^apps/server/drizzle\\.config\\.ts$',
    ]),

    // 6. The database knows nothing above it, the platform and copies no feature; the program is put together in one place.
    {
      name: 'database-stands-on-nothing',
      severity: 'error',
      from: { path: `${SERVER}database/`, pathNot: TEST },
      to: { path: `${SERVER}(commands|features|keeping|platform)/` },
    },
    {
      name: 'platform-not-to-features',
      severity: 'error',
      from: { path: `${SERVER}(platform|keeping/(backup|deletions|move))/`, pathNot: TEST },
      to: { path: `${SERVER}features/` },
    },
    {
      name: 'keeping-only-from-backups',
      severity: 'error',
      from: { path: `${SERVER}(features|platform)/`, pathNot: [TEST, `${SERVER}features/backups/`] },
      to: { path: `${SERVER}keeping/` },
    },
    {
      name: 'app-only-from-main',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: [TEST, ROOT] },
      to: { path: `${SERVER}(main|program|app)\\.ts$` },
    },

    // 7. The web app: what knows no noun below, then the features in their order, the app on top.
    {
      name: 'web-components-not-to-features',
      severity: 'error',
      from: { path: `${WEB}(components|lib|hooks)/`, pathNot: TEST },
      to: { path: `${WEB}(features|app)/` },
    },
    {
      name: 'web-lib-not-to-components',
      severity: 'error',
      from: { path: `${WEB}lib/`, pathNot: TEST },
      to: { path: `${WEB}components/` },
    },
    {
      name: 'web-components-know-no-noun',
      severity: 'error',
      from: { path: `${WEB}components/`, pathNot: [TEST, `${WEB}components/ui/`] },
      to: { path: '^packages/contracts/' },
    },
    {
      name: 'web-features-not-to-app',
      severity: 'error',
      from: { path: `${WEB}features/`, pathNot: TEST },
      to: { path: `${WEB}app/` },
    },
    ...WEB_FEATURES.map((feature, place) => ({
      name: 'web-features-lead-down',
      severity: 'error',
      from: { path: `${WEB}features/${feature}/`, pathNot: TEST },
      to: {
        path: `${WEB}features/`,
        pathNot: `${WEB}features/(${WEB_FEATURES.slice(0, place + 1).join('|')})/`,
      },
    })),
    {
      name: 'web-features-lead-down',
      severity: 'error',
      from: { path: `${WEB}features/([^/]+)/`, pathNot: TEST },
      to: { path: `${WEB}features/`, pathNot: `${WEB}features/($1|${WEB_FEATURES.join('|')})/` },
    },
    {
      name: 'chain-runs-import-no-room-beside-them',
      severity: 'error',
      from: { path: `${WEB}features/chains/run/`, pathNot: TEST },
      to: { path: `${WEB}features/chains/(library|steps)/` },
    },
    {
      name: 'app-rooms-lead-down',
      severity: 'error',
      from: { path: `${WEB}app/(routes|dialogs)/`, pathNot: TEST },
      to: { path: `${WEB}app/`, pathNot: `${WEB}app/($1|dialogs)/` },
    },
    {
      name: 'api-client-only-from-queries',
      severity: 'error',
      from: { path: WEB, pathNot: [TEST, '\\.queries\\.ts$', `${WEB}lib/`] },
      to: { path: `${WEB}lib/api-client` },
    },
    {
      name: 'ui-kit-knows-no-domain',
      severity: 'error',
      from: { path: `${WEB}components/ui/`, pathNot: TEST },
      to: {
        path: [WEB, '^packages/'],
        pathNot: [`${WEB}components/ui/`, `${WEB}lib/(utils|keyboard/pressed)\\.ts$`],
      },
    },

    // 8. Everything resolves, is declared, is used, and leads somewhere without a circle.
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: PRODUCTION, pathNot: [TEST, '/main\\.tsx?$', '\\.d\\.ts$'] },
      to: {},
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'production-not-to-dev-packages',
      severity: 'error',
      from: { path: PRODUCTION, pathNot: TEST },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'production-not-to-tests',
      severity: 'error',
      from: { path: '^(apps|packages)/', pathNot: TEST },
      to: { path: TEST },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
}
