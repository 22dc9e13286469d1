import type { CaseGrade, EvaluationEstimate, EvaluationStatus } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { at, belongsTo, createdAt, primaryId } from './columns.ts'
import { prompts } from './prompts.ts'
import { testSuites } from './test-suites.ts'
import { users } from './users.ts'

/** A version × a model; of a chain, whose steps name their models, a version. */
export interface StoredTarget {
  version: number
  model: string | null
  /** Of a chain, by step: the version of the linked prompt that runs, wherever its label is by now; null: the step's own text. */
  frozenLinks?: (number | null)[] | undefined
  mayUsePrivateValues?: boolean | undefined
  /** Names of private values that others brought into its texts and that who started it allowed; absent: from before that was asked (D69). */
  allowed?: string[] | undefined
}

export const evaluations = pgTable(
  'evaluations',
  {
    id: primaryId(),
    promptId: integer().references(() => prompts.id, { onDelete: 'cascade' }),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    suiteId: integer().references(() => testSuites.id, { onDelete: 'set null' }),
    suiteName: text().notNull(),
    startedBy: belongsTo(() => users.id),
    status: text().$type<EvaluationStatus>().notNull().default('running'),
    stopReason: text(),
    /** Fencing number: a driver writes only under the attempt that it claimed. */
    attempt: integer().notNull().default(0),
    ceilingNanos: bigint({ mode: 'number' }).notNull(),
    estimate: jsonb().$type<EvaluationEstimate>().notNull(),
    cases: jsonb().$type<unknown[]>().notNull(),
    /** SHA-256 of the cases: tells the gate whether they still match the suite's. */
    casesHash: text().notNull(),
    targets: jsonb().$type<StoredTarget[]>().notNull(),
    baseline: integer().notNull().default(0),
    judgeModel: text(),
    reuse: boolean().notNull().default(false),
    createdAt: createdAt(),
    finishedAt: at(),
  },
  (t) => [
    index('evaluations_prompt').on(t.promptId, t.id.desc()).where(sql`${t.promptId} is not null`),
    index('evaluations_chain').on(t.chainId, t.id.desc()).where(sql`${t.chainId} is not null`),
    index('evaluations_suite').on(t.suiteId, t.id.desc()).where(sql`${t.suiteId} is not null`),
    index('evaluations_starter').on(t.startedBy, t.id.desc()),
    check('evaluations_of_one', sql`num_nonnulls(${t.promptId}, ${t.chainId}) = 1`),
  ],
)

/** Waits, is run, is answered (its case waits for a comparison of all targets), and ends once. */
export type StoredCellStatus = 'waiting' | 'running' | 'answered' | 'passed' | 'failed' | 'not-run' | 'error'

export const evaluationCells = pgTable(
  'evaluation_cells',
  {
    evaluationId: integer().notNull(),
    casePosition: integer().notNull(),
    targetPosition: integer().notNull(),
    /** SHA-256 of everything that its result depends on. */
    hash: text().notNull(),
    status: text().$type<StoredCellStatus>().notNull().default('waiting'),
    /** Reserved before its run exists, so that the model is asked once; the run may be gone. */
    executionId: integer(),
    grade: jsonb().$type<CaseGrade>(),
    reason: text(),
    durationMs: integer(),
    modelId: text(),
    costNanos: bigint({ mode: 'number' }),
    judgeCostNanos: bigint({ mode: 'number' }),
    judgeSavedNanos: bigint({ mode: 'number' }),
    reusedFrom: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.evaluationId, t.casePosition, t.targetPosition] }),
    foreignKey({
      name: 'evaluation_cells_evaluation',
      columns: [t.evaluationId],
      foreignColumns: [evaluations.id],
    }).onDelete('cascade'),
    index('evaluation_cells_hash').on(t.hash).where(sql`${t.status} in ('passed', 'failed')`),
    index('evaluation_cells_execution').on(t.executionId),
  ],
)
