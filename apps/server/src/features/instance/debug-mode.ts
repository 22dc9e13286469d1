import type { Database } from '../../database/statements/executor.ts'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { readDebugMode, writeDebugMode } from './debug-mode.sql.ts'

const FOLLOW_MS = 30_000

export const debugMode = onePerApp(createDebugMode)

function createDebugMode({ db, log }: Context<Database>) {
  const usualLevel = log.level
  const debugLevel = usualLevel === 'trace' ? 'trace' : 'debug'
  let timer: NodeJS.Timeout | undefined

  function apply(enabled: boolean): void {
    const level = enabled ? debugLevel : usualLevel
    if (level === log.level) return
    log.level = level
    log.info({ enabled }, 'debug mode')
  }

  return {
    apply,

    async follow(): Promise<void> {
      apply(await readDebugMode(db))
      timer = setInterval(() => {
        readDebugMode(db).then(apply, (error: unknown) =>
          log.warn({ err: error }, 'debug mode could not be read'),
        )
      }, FOLLOW_MS).unref()
    },

    close(): void {
      clearInterval(timer)
    },
  }
}

export async function setDebugMode(ctx: Context, enabled: boolean): Promise<boolean> {
  await transaction(ctx, async (ctx) => {
    const before = { debugMode: await readDebugMode(ctx.db) }
    const after = { debugMode: enabled }
    await writeDebugMode(ctx.db, enabled)
    await recordActivity(ctx, { kind: 'instance.debug_mode_set', object: 'instance', before, after })
  })
  debugMode(ctx).apply(enabled)
  return enabled
}
