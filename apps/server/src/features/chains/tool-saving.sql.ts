import { type StepTool, TOOL_SAVERS, type ToolSavers } from '@catenary/contracts'
import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { chainSteps, settings } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { readSetting, writeSetting } from '../../database/statements/stored-setting.ts'

const SAVED_BY = 'tool-steps-saved-by'

/** Everyone, unless an administrator has said otherwise. */
export async function readToolSavers(db: Executor): Promise<ToolSavers> {
  return z
    .enum(TOOL_SAVERS)
    .catch('everyone')
    .parse(await readSetting(db, SAVED_BY))
}

export function writeToolSavers(db: Executor, savedBy: ToolSavers): Promise<void> {
  return writeSetting(db, { key: SAVED_BY, value: savedBy })
}

const toolOfStep = sql`(${chainSteps.settings} -> 'tool')`
const hashOf = (tool: SQL) => sql`encode(sha256(convert_to(${tool}::jsonb::text, 'UTF8')), 'hex')`

/** A hash of each call that the chain's steps make, equal for equal calls; null: everyone may save them. */
export async function findGuardedTools(db: Executor, chainId: number): Promise<string[] | null> {
  const { rows } = await db.execute<{ tools: string[] | null }>(sql`
    select case when exists (
      select from ${settings} where ${settings.key} = ${SAVED_BY} and ${settings.value} #>> '{}' = 'admins'
    ) then array(
      select ${hashOf(toolOfStep)}
      from ${chainSteps} where ${chainSteps.chainId} = ${chainId} and ${chainSteps.settings} ->> 'tool' is not null
    ) end as tools`)
  return rows[0]?.tools ?? null
}

/** As `findGuardedTools` has those of a chain. */
export async function hashTools(db: Executor, tools: readonly StepTool[]): Promise<string[]> {
  const { rows } = await db.execute<{ hash: string }>(sql`
    select ${hashOf(sql`tool`)} as hash from json_array_elements(${JSON.stringify(tools)}::json) as tool`)
  return rows.map(({ hash }) => hash)
}
