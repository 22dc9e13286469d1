import type { AskedSettings, Turn } from '@catenary/contracts'
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { runSteps, runs } from '../../../database/schema/index.ts'
import { clipOf, isLongJson } from '../../../database/statements/clipped-text.ts'
import type { Executor } from '../../../database/statements/executor.ts'
import type { PlannedStep } from '../engine/planned-step.ts'

/** Reads only the shown parts of a stored plan, which may be large. */
const PLAN_READ_MAX_BYTES = sql.raw('50000')

const outline = sql`(
  select json_agg((step::jsonb - 'template' - 'messages' - 'schema' - 'stop' - 'output' - 'onlyIf' - 'default' - 'ends' - 'ask' - 'tool' - 'given' - 'sends') ||
    jsonb_build_object('systemPrompt', ${clipOf(sql`step->>'systemPrompt'`)}))
  from json_array_elements(${runs.plan}) as step
)`

export async function findShownTexts(db: Executor, id: number) {
  const [found] = await db
    .select({
      output: runs.output,
      userInput: runs.userInput,
      plan: sql<PlannedStep[] | null>`case
        when pg_column_size(${runs.plan}) > ${PLAN_READ_MAX_BYTES} then ${outline} else ${runs.plan}
      end`,
    })
    .from(runs)
    .where(eq(runs.id, id))
  return found
}

const { template, systemPrompt, messages, settings, inputContent, aiResponse } = runSteps

export async function sumStepBytes(db: Executor, executionId: number): Promise<number> {
  const sizes = [systemPrompt, sql`${messages}::text`, inputContent, aiResponse, aiResponse].map(
    (text) => sql`coalesce(octet_length(${text}), 0)`,
  )
  const [sum] = await db
    .select({ bytes: sql`coalesce(sum(${sql.join(sizes, sql` + `)}), 0)`.mapWith(Number) })
    .from(runSteps)
    .where(eq(runSteps.executionId, executionId))
  return sum?.bytes ?? 0
}

const none = sql<unknown>`null::jsonb`
const clippedColumns = {
  ...getTableColumns(runSteps),
  template: sql<string | null>`${clipOf(template)}`,
  systemPrompt: sql<string>`''`,
  messages: sql<Turn[] | null>`null::jsonb`,
  settings: sql<AskedSettings | null>`case when not ${isLongJson(settings)} then ${settings} end`,
  inputContent: sql<string | null>`${clipOf(inputContent)}`,
  aiResponse: sql<string | null>`${clipOf(aiResponse)}`,
  inputSegments: none,
  resolved: none,
}

const PATHS = {
  api: sql.raw(`'$.keyvalue() ? (@.value.type == "api" && @.value.error == null).key'`),
  typed: sql.raw(`'$.keyvalue() ? (@.value.type == "typed").key'`),
}

/** Names of the values that came so; also of a run whose origins are too many to be shown. */
const namesOf = (type: keyof typeof PATHS) =>
  sql<
    string[]
  >`coalesce(jsonb_path_query_array(${runSteps.resolved}, ${PATHS[type]}, '{}', true), '[]'::jsonb)`
const sources = { fetchedNames: namesOf('api'), typedNames: namesOf('typed') }

export function listShownSteps(
  db: Executor,
  { executionId, position, isClipped }: { executionId: number; position?: number; isClipped: boolean },
) {
  return db
    .select({ ...(isClipped ? clippedColumns : getTableColumns(runSteps)), ...sources })
    .from(runSteps)
    .where(
      and(
        eq(runSteps.executionId, executionId),
        position === undefined ? undefined : eq(runSteps.position, position),
      ),
    )
    .orderBy(asc(runSteps.position))
}
