import type {
  AskedSettings,
  BestChainChoice,
  InputSegment,
  RunAttachment,
  StepFallback,
  StructuredAnswer,
  Turn,
  ValueOrigin,
  WaitingFor,
} from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { chains } from './chains.ts'
import { at, belongsTo, createdAt, finishReasonColumn, primaryId } from './columns.ts'
import { prompts } from './prompts.ts'
import { apiTokens } from './tokens.ts'
import { users } from './users.ts'

export const runKind = pgEnum('execution_kind', ['prompt', 'chain'])
export const runTrigger = pgEnum('execution_trigger', ['manual', 'schedule', 'token', 'evaluation'])
export const ratingThumb = pgEnum('rating_thumb', ['up', 'down'])
export const runStatus = pgEnum('execution_status', ['running', 'completed', 'failed', 'cancelled'])

interface StoredApiCall {
  path: string
  ignored: string[]
  depth: number
  /** Whose answer is fetched later, from those 30 days; what the reply gives back of the call. */
  background?: { model: string; echo: Record<string, unknown>; bestChain?: BestChainChoice | undefined }
}

/** From where a run took over the steps before `position`, and what came with them that its own rows may not show. */
export interface TakenFrom {
  executionId: number
  position: number
  chainVersion: number | null
  /** Its input and values are those of the caller of a token. */
  isCalled: boolean
  /** Outputs of the steps taken over whose texts came from outside. */
  outside: string[]
  /** A private value came along (D89). */
  tookIn: boolean
  /** Not each of these is named by the rows as its runner's: no yes to all of their runs covers this one. */
  isUnnamed: boolean
}

/** One run: of a prompt (one step) or of a chain. Both share one space of ids (D31). */
export const runs = pgTable(
  'executions',
  {
    id: primaryId(),
    kind: runKind().notNull(),
    trigger: runTrigger().notNull().default('manual'),
    userId: belongsTo(() => users.id),
    promptId: integer().references(() => prompts.id, { onDelete: 'set null' }),
    chainId: integer().references(() => chains.id, { onDelete: 'cascade' }),
    apiTokenId: integer().references(() => apiTokens.id, { onDelete: 'set null' }),
    apiCall: jsonb().$type<StoredApiCall>(),
    status: runStatus().notNull().default('running'),
    userInput: text().notNull().default(''),
    variableValues: jsonb().$type<Record<string, string>>().notNull().default({}),
    chainName: text(),
    chainVersion: integer(),
    chainLabel: text(),
    /** The chain's `visibilityEpoch` when the run started; null: it is kept to who started it. */
    visibilityEpoch: integer('runs_opening'),
    /** Whether it took in a value that only who started it may see; null counts as yes. It only ever rises. */
    privateValues: boolean(),
    /** The attempt that its runner shares; null: none is shared by itself. */
    sharedAttempt: integer(),
    /** The chain's steps as they run, in order; null in a prompt's run. Read with the run alone: it holds all their texts. */
    plan: json(),
    stepCount: integer().notNull().default(1),
    output: text(),
    error: text(),
    errorCode: text(),
    /** Fencing number of a durable run: a worker writes only under the attempt that it claimed. */
    attempt: integer().notNull().default(0),
    leaseUntil: at(),
    /** The answer of a person that it waits for; null: none. Its lease then has no end, so that nobody claims it. */
    waitingFor: jsonb().$type<WaitingFor>(),
    /** Where its private values would have gone without consent, upon which it ended. */
    wouldLeave: jsonb().$type<string[]>(),
    /** No worker takes it over: the waiting caller went with the process. */
    endsWithProcess: boolean().notNull().default(false),
    /** The run of which it took over its first steps; null: it began with them. */
    takenFrom: jsonb().$type<TakenFrom>(),
    /** How often the run's process died while it was at the step `lostAt`. */
    lostWorkers: integer().notNull().default(0),
    lostAt: integer(),
    cancelRequestedAt: at(),
    /** Subscribers to its end: name → their reference to the run; null: none. */
    subscribers: jsonb().$type<Record<string, string>>(),
    /** Its texts and those of its steps were deleted as too old; metrics are kept. */
    textsDeleted: boolean().notNull().default(false),
    executedAt: createdAt(),
    finishedAt: at(),
  },
  (t) => [
    unique('executions_attempt').on(t.id, t.attempt),
    index('executions_prompt').on(t.promptId, t.userId, t.id.desc()).where(sql`${t.promptId} is not null`),
    index('executions_chain').on(t.chainId, t.id.desc()).where(sql`${t.chainId} is not null`),
    index('executions_token').on(t.apiTokenId, t.id.desc()).where(sql`${t.apiTokenId} is not null`),
    index('executions_user').on(t.userId, t.id.desc()),
    index('executions_lease').on(t.leaseUntil).where(sql`${t.status} = 'running'`),
    index('executions_texts').on(t.id).where(sql`not ${t.textsDeleted}`),
  ],
)

/** The outcome of a step. A chain's step is written once, when it ends; a prompt's single step from its start. */
export const runSteps = pgTable(
  'execution_steps',
  {
    executionId: integer().notNull(),
    position: integer().notNull(),
    /** The run's fencing number, which changes with it: a worker that lost the run can write no step of it. */
    attempt: integer().notNull().default(0),
    status: runStatus().notNull(),
    title: text().notNull().default(''),
    model: text().notNull(),
    provider: text(),
    modelId: text(),
    fallback: jsonb().$type<StepFallback>(),
    finishReason: finishReasonColumn(),
    /** The prompt may be deleted: a foreign key would make deleting one search all runs. */
    promptId: integer(),
    promptVersion: integer(),
    template: text(),
    systemPrompt: text().notNull().default(''),
    messages: jsonb().$type<Turn[]>(),
    settings: json().$type<AskedSettings>(),
    attachments: jsonb().$type<RunAttachment[]>(),
    inputContent: text(),
    inputSegments: jsonb(),
    resolved: jsonb(),
    outputVariableName: text(),
    aiResponse: text(),
    structured: jsonb().$type<StructuredAnswer>(),
    error: text(),
    errorCode: text(),
    /** Why it was not run: it counts as completed, with its default for an output. */
    skipReason: text(),
    retries: integer().notNull().default(0),
    limitWaitMs: integer(),
    inputTokens: integer(),
    outputTokens: integer(),
    /** The part of the input that was read from the provider's cache; null for steps from before that was counted. */
    cachedTokens: integer(),
    costNanos: bigint({ mode: 'number' }),
    /** What the cache saved at that day's prices; below zero where more was written than read. */
    savedNanos: bigint({ mode: 'number' }),
    firstTokenMs: integer(),
    durationMs: integer(),
    startedAt: at(),
    finishedAt: at(),
  },
  (t) => [
    primaryKey({ columns: [t.executionId, t.position] }),
    index('execution_steps_attachments')
      .using('gin', sql`${t.attachments} jsonb_path_ops`)
      .where(sql`${t.attachments} is not null`),
    foreignKey({
      name: 'execution_steps_run',
      columns: [t.executionId, t.attempt],
      foreignColumns: [runs.id, runs.attempt],
    })
      .onUpdate('cascade')
      .onDelete('cascade'),
  ],
)

/**
 * The items of a step that runs for each of a list: written together before the first of them, and each again as it
 * ends. The step's row has their sums, so that whoever reads steps needs to know of none.
 */
export const runItems = pgTable(
  'execution_items',
  {
    executionId: integer().notNull(),
    position: integer().notNull(),
    index: integer().notNull(),
    /** As a step's. */
    attempt: integer().notNull(),
    /** null: it has not ended. */
    status: runStatus(),
    item: text().notNull(),
    isJson: boolean().notNull(),
    /** At first where the list came from: an item counts as what its list was made of. */
    resolved: jsonb().$type<Record<string, ValueOrigin>>().notNull(),
    provider: text(),
    modelId: text(),
    fallback: jsonb().$type<StepFallback>(),
    finishReason: finishReasonColumn(),
    /** null: as the step has it. */
    systemPrompt: text(),
    messages: jsonb().$type<Turn[]>(),
    inputContent: text(),
    inputSegments: jsonb().$type<InputSegment[]>(),
    aiResponse: text(),
    structured: jsonb().$type<StructuredAnswer>(),
    error: text(),
    errorCode: text(),
    skipReason: text(),
    retries: integer().notNull().default(0),
    limitWaitMs: integer(),
    inputTokens: integer(),
    outputTokens: integer(),
    cachedTokens: integer(),
    costNanos: bigint({ mode: 'number' }),
    savedNanos: bigint({ mode: 'number' }),
    firstTokenMs: integer(),
    durationMs: integer(),
    startedAt: at(),
    finishedAt: at(),
    retriedAt: at(),
  },
  (t) => [
    primaryKey({ columns: [t.executionId, t.position, t.index] }),
    foreignKey({
      name: 'execution_items_run',
      columns: [t.executionId, t.attempt],
      foreignColumns: [runs.id, runs.attempt],
    })
      .onUpdate('cascade')
      .onDelete('cascade'),
  ],
)

/** People's ratings of a run's answer; the notes count toward their text quota. */
export const runRatings = pgTable(
  'execution_ratings',
  {
    executionId: belongsTo(() => runs.id),
    userId: belongsTo(() => users.id),
    thumb: ratingThumb(),
    note: text().notNull().default(''),
    ratedAt: at().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.executionId, t.userId] }),
    index('execution_ratings_user').on(t.userId),
    check('execution_ratings_something', sql`${t.thumb} is not null or ${t.note} <> ''`),
  ],
)

/**
 * again: its runner said to send it again. copied: its installation is a restored copy, and the one that was copied may
 * have sent it; of a step with a list it stands for all items.
 */
export type ToolCallState = 'sent' | 'again' | 'copied'

/** A call of a tool that was begun and has no answer that is stored: nobody knows whether it happened (D84). */
export const toolCalls = pgTable(
  'tool_calls',
  {
    executionId: integer().notNull(),
    position: integer().notNull(),
    /** Of a step that runs for each item; -1: it runs once. */
    item: integer().notNull(),
    /** As a step's. */
    attempt: integer().notNull(),
    /** Sent as Idempotency-Key, the same at every repeat. */
    key: uuid().notNull(),
    state: text().$type<ToolCallState>().notNull().default('sent'),
    startedAt: at().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.executionId, t.position, t.item] }),
    foreignKey({
      name: 'tool_calls_run',
      columns: [t.executionId, t.attempt],
      foreignColumns: [runs.id, runs.attempt],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
  ],
)
