import { type ToolSavers, type ToolSaving, toolSavingApi, toolStepsApi } from '@catenary/contracts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { recordActivity } from '../activity/activity.ts'
import { maySaveTools } from './save-chain.ts'
import { readToolSavers, writeToolSavers } from './tool-saving.sql.ts'

export const serveToolSteps = handlers(toolStepsApi, {
  'GET /api/tool-steps': async (ctx, { user }) => ({ maySave: await maySaveTools(ctx, user) }),
})

export const serveToolSaving = handlers(toolSavingApi, {
  'GET /api/admin/tool-steps': readToolSaving,
  'PUT /api/admin/tool-steps': (ctx, { body }) => changeToolSaving(ctx, body),
})

async function readToolSaving({ db }: SqlContext): Promise<ToolSaving> {
  return { savedBy: await readToolSavers(db) }
}

function changeToolSaving(ctx: Context, { savedBy }: { savedBy: ToolSavers }): Promise<ToolSaving> {
  return transaction(ctx, async (ctx) => {
    const before = await readToolSaving(ctx)
    const after = { savedBy }
    await writeToolSavers(ctx.db, savedBy)
    await recordActivity(ctx, { kind: 'instance.tool_savers_set', object: 'instance', before, after })
    return after
  })
}
