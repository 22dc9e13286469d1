import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { chains, modelAlias } from './chains.ts'
import { at, createdAt, primaryId } from './columns.ts'
import { prompts } from './prompts.ts'
import { apiTokens } from './tokens.ts'
import { users } from './users.ts'

export const executionKind = pgEnum('execution_kind', ['prompt', 'chain'])
export const executionTrigger = pgEnum('execution_trigger', ['manual', 'schedule', 'token'])
export const executionStatus = pgEnum('execution_status', ['running', 'completed', 'failed', 'cancelled'])
export const executionStepStatus = pgEnum('execution_step_status', [
  'waiting',
  'running',
  'completed',
  'failed',
  'cancelled',
])

/** One run: of a prompt (one step) or of a chain. Both share one space of ids (D31). */
export const executions = pgTable(
  'executions',
  {
    id: primaryId(),
    kind: executionKind().notNull(),
    trigger: executionTrigger().notNull().default('manual'),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    promptId: integer().references(() => prompts.id, { onDelete: 'set null' }),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    apiTokenId: integer().references(() => apiTokens.id, { onDelete: 'set null' }),
    status: executionStatus().notNull().default('running'),
    /** What the person typed: user input, and a value for each name. */
    userInput: text().notNull().default(''),
    variableValues: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** The chain as it was when the run started. */
    snapshot: jsonb(),
    output: text(),
    error: text(),
    errorCode: text(),
    /** Fencing number of a durable run: a worker writes only under the attempt that it claimed. */
    attempt: integer().notNull().default(0),
    leaseUntil: at(),
    cancelRequestedAt: at(),
    executedAt: createdAt(),
    finishedAt: at(),
  },
  (t) => [
    index('executions_prompt').on(t.promptId, t.userId, t.id.desc()).where(sql`${t.promptId} is not null`),
    index('executions_chain').on(t.chainId, t.id.desc()).where(sql`${t.chainId} is not null`),
    index('executions_user').on(t.userId, t.id.desc()),
    index('executions_lease').on(t.leaseUntil).where(sql`${t.status} = 'running'`),
  ],
)

export const executionSteps = pgTable(
  'execution_steps',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    executionId: integer()
      .notNull()
      .references(() => executions.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    /** The run's fencing number, so that a step is written by a look at its own row alone. */
    attempt: integer().notNull().default(0),
    status: executionStepStatus().notNull().default('waiting'),
    title: text().notNull().default(''),
    model: modelAlias().notNull(),
    provider: text(),
    modelId: text(),
    promptId: integer().references(() => prompts.id, { onDelete: 'set null' }),
    promptVersion: integer(),
    /** The template, where it was not the stored version's text. */
    template: text(),
    systemPrompt: text().notNull().default(''),
    inputContent: text(),
    /** Which parts of the input came from which reference. */
    inputSegments: jsonb(),
    /** Name → where its value came from and when, so that a run can be explained. */
    resolved: jsonb(),
    outputVariableName: text(),
    aiResponse: text(),
    error: text(),
    errorCode: text(),
    retries: integer().notNull().default(0),
    /** How often the run's process died while this step was under way. */
    lostWorkers: integer().notNull().default(0),
    inputTokens: integer(),
    outputTokens: integer(),
    costNanos: bigint({ mode: 'number' }),
    firstTokenMs: integer(),
    durationMs: integer(),
    startedAt: at(),
    finishedAt: at(),
  },
  (t) => [primaryKey({ columns: [t.executionId, t.position] })],
)
