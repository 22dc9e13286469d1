import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/executor.ts'
import { preparePlain, underKeys } from '../../db/plain-statement.ts'
import { promptNames, prompts } from '../../db/schema/index.ts'
import { meantFirst } from '../../db/sql/named-rows.ts'

interface WantedName {
  name: string
  /** Who means it. */
  userId: number
  /** The prompts within reach. */
  promptIds: readonly number[]
}

/** The prompt within reach that the person means by the name (D48); plain, as each fetch asks that is not answered from memory. */
export function preparePromptOfName(db: Database): (wanted: WantedName) => Promise<number | undefined> {
  const value = sql.placeholder
  const find = preparePlain<WantedName, { id: number }>({
    db,
    name: 'find_prompt_of_name',
    query: db
      .select(underKeys({ id: promptNames.recordId }))
      .from(promptNames)
      .innerJoin(prompts, eq(prompts.id, promptNames.recordId))
      .where(
        and(
          eq(promptNames.name, value('name')),
          sql`${promptNames.recordId} = any(${value('promptIds')}::integer[])`,
        ),
      )
      .orderBy(meantFirst('prompt', value('userId')))
      .limit(1),
    readerOf: (name) => (wanted) => wanted[name as keyof WantedName],
  })
  return async (wanted) => (await find(wanted))[0]?.id
}
