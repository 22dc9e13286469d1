import { buildApp } from '../../app.ts'
import type { DatabaseClient } from '../../database/open/client.ts'
import { AppError } from '../../errors.ts'
import { OWN_TEXTS_ONLY } from '../../features/records/records.ts'
import { startChainRun } from '../../features/runs/runs.ts'
import type { ClosedParts } from '../../platform/closed-parts.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { listNewestChains, makeUpChain, type TrialChain } from './trial-chains.sql.ts'

const RUN_LIMIT_MS = 60_000

interface Trial {
  settings: Settings & { secretKey: string }
  database: DatabaseClient
  log: Log
  parts: ClosedParts
}

/**
 * Builds the program on a copy, without a way out and without jobs, and runs its newest chain that runs, or else one
 * that is made up in the copy. The name of what ran; throws where none of them completes.
 */
export async function runOneChain({ settings, database, log, parts }: Trial): Promise<string> {
  const app = await buildApp({
    ...parts,
    settings: { ...settings, role: 'web', admin: undefined, metrics: false },
    database,
    log,
  })
  try {
    for (const chain of await listNewestChains(database.db)) {
      if ((await tryChain(app, chain)) === undefined) return chain.name
    }
    const madeUp = await makeUpChain(database.db)
    const problem = await tryChain(app, madeUp)
    if (problem === undefined) return madeUp.name
    throw new Error(`No chain runs in it: ${problem}`)
  } finally {
    await app.close()
  }
}

async function tryChain({ ctx }: Awaited<ReturnType<typeof buildApp>>, { id, user }: TrialChain) {
  try {
    const attached = AbortSignal.timeout(RUN_LIMIT_MS)
    const { outcome } = await startChainRun(ctx, {
      user,
      allowed: OWN_TEXTS_ONLY,
      chainId: id,
      input: 'A trial',
      attached,
    })
    const ended = await outcome
    return ended.status === 'completed' ? undefined : ended.message
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
