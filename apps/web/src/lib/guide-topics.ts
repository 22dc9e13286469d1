import { FAULT_TOPICS, type GuideAddress } from './fault-topics.ts'

export const GUIDE_TOPICS = {
  prompts: { href: '/docs/prompts-and-variables#write-a-prompt', label: 'prompts' },
  importing: { href: '/docs/prompts-and-variables#move-in-from-openai', label: 'moving in' },
  exporting: { href: '/docs/keep-it-in-git', label: 'exporting and Git' },
  finding: { href: '/docs/prompts-and-variables#find-it-again', label: 'finding things' },
  variables: { href: '/docs/prompts-and-variables#use-a-variable', label: 'variables' },
  chains: { href: '/docs/chains#make-a-chain', label: 'chains' },
  steps: { href: '/docs/chains#pass-an-output-on', label: 'steps' },
  chainRuns: { href: '/docs/chains#run-a-chain', label: 'runs of chains' },
  schedules: { href: '/docs/schedules-and-mail#schedule-a-chain', label: 'schedules' },
  mail: { href: '/docs/schedules-and-mail#set-mail-up', label: 'setting mail up' },
  tests: { href: '/docs/evaluate#save-a-test', label: 'tests' },
  evaluations: { href: '/docs/evaluate#run-an-evaluation', label: 'evaluations' },
  usage: { href: '/docs/usage-and-budgets#read-the-figures', label: 'usage' },
  chainTokens: { href: '/docs/call-it-from-code#call-a-chain', label: 'calling a chain' },
  connecting: { href: '/docs/call-it-from-code#get-a-token', label: 'connecting programs' },
  bestChain: { href: '/docs/call-it-from-code#let-the-server-choose-the-chain', label: 'Best Chain' },
  readTokens: { href: '/docs/call-it-from-code#fetch-and-run-a-prompt', label: 'read tokens' },
  webhooks: { href: '/docs/call-it-from-code#be-told-what-happens', label: 'webhooks' },
  models: { href: '/docs/administer#add-a-model', label: 'adding models' },
  backups: { href: '/docs/operate#automatic-backups', label: 'backups' },
  moving: { href: '/docs/operate#move', label: 'moving to another database' },
  groups: { href: '/docs/administer#groups', label: 'groups' },
  activity: { href: '/docs/administer#who-did-what', label: 'the activity' },
  administering: { href: '/docs/administer', label: 'administering' },
  guide: { href: '/docs', label: 'Catenary' },
  ...FAULT_TOPICS,
  budget: { href: '/docs/when-something-goes-wrong#the-budget-is-spent', label: 'budgets' },
  modelQuota: { href: '/docs/when-something-goes-wrong#a-models-quota-is-spent', label: 'models’ quotas' },
  modelKey: {
    href: '/docs/when-something-goes-wrong#a-models-key-is-missing-or-refused',
    label: 'models’ keys',
  },
  failedRun: { href: '/docs/when-something-goes-wrong#a-run-failed', label: 'failed runs' },
} as const satisfies Record<string, GuideAddress>

export type GuideTopic = keyof typeof GUIDE_TOPICS
