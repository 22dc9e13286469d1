import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as schema from './index.ts'

export type TableName = {
  [Name in keyof typeof schema]: (typeof schema)[Name] extends PgTable ? Name : never
}[keyof typeof schema]

const tables = Object.entries<unknown>(schema).flatMap(([name, value]) =>
  is(value, PgTable) ? [[name, value] as const] : [],
)
export const TABLES = Object.fromEntries(tables) as Record<TableName, PgTable>

/** Only the queue's own folder knows the schema of its tables. */
const QUEUE = ['jobs']

export const OWN_TABLES = new Set<string>([...QUEUE, ...Object.values(TABLES).map(getTableName)])

interface TableRecord {
  /**
   * Of what a person deletes for good: what tells such a row from any other, so that one with the same id that was made
   * later, after a restore, is not taken for it. A trigger notes each that is deleted (`note_deleted`).
   */
  noted?: readonly string[]
  /** What becomes of a person's rows when their account is deleted; `nameless`: they stay, and nobody's name is on them. */
  withAccount: 'deleted' | 'nameless' | 'kept'
  /** Whether a person's export has the rows: always, or of a label that is asked for. */
  exported: 'held' | 'by label' | 'left out'
}

const BY_ID = ['id', 'created_at'] as const
const deleted = { withAccount: 'deleted', exported: 'left out' } as const
const nameless = { withAccount: 'nameless', exported: 'left out' } as const
const kept = { withAccount: 'kept', exported: 'left out' } as const
const held = { withAccount: 'deleted', exported: 'held' } as const
const byLabel = { withAccount: 'deleted', exported: 'by label' } as const

/**
 * What each table's rows are to their person. Those that are noted as deleted come first, in the order in which they are
 * deleted again: what refers to others goes before them.
 */
export const TABLE_RECORDS: Record<TableName, TableRecord> = {
  runRatings: { ...deleted, noted: ['execution_id', 'user_id', 'rated_at'] },
  runs: { ...deleted, noted: ['id', 'executed_at'] },
  evaluations: { ...deleted, noted: BY_ID },
  testCases: { ...held, noted: ['id', 'suite_id'] },
  testSuites: { ...held, noted: BY_ID },
  scheduledRuns: { ...deleted, noted: BY_ID },
  apiTokens: { ...deleted, noted: BY_ID },
  runShares: { ...deleted, noted: BY_ID },
  webhooks: { ...deleted, noted: BY_ID },
  chainVersions: { ...byLabel, noted: BY_ID },
  chains: { ...held, noted: BY_ID },
  promptVersions: { ...byLabel, noted: BY_ID },
  prompts: { ...held, noted: BY_ID },
  variables: { ...deleted, noted: BY_ID },
  categories: { withAccount: 'nameless', exported: 'held', noted: BY_ID },
  tags: { withAccount: 'nameless', exported: 'held', noted: BY_ID },
  groups: { ...nameless, noted: BY_ID },
  models: { ...kept, noted: BY_ID },
  modelProviders: { ...nameless, noted: BY_ID },
  accounts: { ...deleted, noted: BY_ID },
  users: { ...deleted, noted: BY_ID },
  accountAttempts: kept,
  activity: kept,
  activityLinks: kept,
  allowedCalls: deleted,
  apiTokenCalls: deleted,
  apiTokenChains: deleted,
  apiTokenPrompts: deleted,
  apiTokenUses: deleted,
  asks: deleted,
  auditEvents: nameless,
  backups: kept,
  bestChainSelections: deleted,
  chainAcceptances: deleted,
  chainGroupShares: deleted,
  chainLabels: byLabel,
  chainNames: deleted,
  chainShares: deleted,
  chainSlugs: deleted,
  chainSteps: held,
  chainTags: held,
  deletions: kept,
  evaluationCells: deleted,
  examples: deleted,
  fileBytes: deleted,
  files: deleted,
  groupMembers: deleted,
  groupModelLists: kept,
  handOvers: deleted,
  hookDeliveries: deleted,
  idempotencyKeys: kept,
  importedChains: deleted,
  importedPrompts: deleted,
  importedSuites: deleted,
  imports: deleted,
  labelMoves: deleted,
  mailConsents: deleted,
  mailQuestions: deleted,
  mailRecipients: deleted,
  mails: deleted,
  modelLists: deleted,
  modelPrices: kept,
  modelSpending: kept,
  processes: kept,
  promptAcceptances: deleted,
  promptAliases: deleted,
  promptFetches: deleted,
  promptGroupShares: deleted,
  promptLabels: byLabel,
  promptNames: deleted,
  promptShares: deleted,
  promptSkills: held,
  promptSlugs: deleted,
  promptTags: held,
  promptTallies: kept,
  protectedLabelGroups: kept,
  protectedLabels: kept,
  rateWindows: kept,
  runItems: deleted,
  runSends: deleted,
  runSteps: deleted,
  scheduledOccurrences: deleted,
  sessions: deleted,
  stepSecrets: deleted,
  toolCalls: deleted,
  settings: kept,
  usageCalls: kept,
  usageItems: kept,
  usageSlots: kept,
  usageTimes: kept,
  usages: deleted,
  variableFetches: deleted,
  variableTags: deleted,
  verifications: kept,
  views: deleted,
  webhookDeliveries: deleted,
}
