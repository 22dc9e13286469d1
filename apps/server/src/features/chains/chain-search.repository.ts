import { searchText } from '@catenary/contracts'
import { asc, isNull, or, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { chains } from '../../db/schema/index.ts'

/** What search reads, written with what it is of. */
export function chainSearchColumns({ name, description }: { name?: string; description?: string }) {
  return {
    ...(name !== undefined && { searchName: searchText(name) }),
    ...(description !== undefined && { searchDescription: searchText(description) }),
  }
}

/** Reads for search what was not read yet: from before, copied, or saved by the version before. Called before a search. */
export async function keepChainSearch(executor: Executor): Promise<void> {
  const { id, name, description, searchName, searchDescription } = chains
  const rows = await executor
    .select({ id, name, description })
    .from(chains)
    .where(or(isNull(searchName), isNull(searchDescription)))
    .orderBy(asc(id))
  for (const row of rows) {
    // Only of what it still is.
    await executor.execute(sql`
      update ${chains} set search_name = ${searchText(row.name)}, search_description = ${searchText(row.description)}
      where ${id} = ${row.id} and ${name} = ${row.name} and ${description} = ${row.description}`)
  }
}
