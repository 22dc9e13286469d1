import { sql } from 'drizzle-orm'
import { accounts, apiTokens, modelProviders, variables, webhooks } from '../schema/index.ts'
import type { Executor } from './executor.ts'

export async function hasSealedData(executor: Executor): Promise<boolean> {
  const { rows } = await executor.execute<{ found: boolean }>(sql`
    select exists (select from ${variables} where ${variables.apiHeaders} <> '{}')
      or exists (select from ${apiTokens} where ${apiTokens.encryptedValue} is not null)
      or exists (select from ${modelProviders} where ${modelProviders.apiKey} is not null)
      or exists (select from ${webhooks})
      or exists (select from ${accounts} where ${accounts.refreshToken} is not null) as found`)
  return rows[0]?.found === true
}
