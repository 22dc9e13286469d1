import { type ActivityQuery, type ActivityRow, activityApi } from '@catenary/contracts'
import type { AppContext } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import type { ListPage } from '../../platform/list-page.ts'
import { readActivityState } from './link-activity.ts'
import { type ActivityFile, listActivity, openActivityFile, type Reader } from './read-activity.ts'

export { keptDays, saveKeptDays } from './activity.sql.ts'
export { findSentNumber, lockSending, saveSentNumber } from './activity-links.sql.ts'
export { deleteEndedDays, linkActivity, workActivityLinks } from './link-activity.ts'
export { readLinkedRows } from './read-activity.ts'
export { asPart, recordActivity } from './record-activity.ts'
export { maskTypedName, noteRefusal, writeRefusals } from './refusals.ts'

interface Asked extends Reader {
  query: ActivityQuery
  send: (file: ActivityFile) => Promise<void>
}

export const serveActivity = handlers(activityApi, {
  'GET /api/activity': (ctx, { query, user, reply }) =>
    serve(ctx, {
      query,
      user,
      extent: 'own',
      send: async ({ content, ...file }) => {
        await asFile(reply, file).send(content)
      },
    }),
  'GET /api/activity/state': readActivityState,
  'GET /api/admin/activity': (ctx, { query, user, reply }) =>
    serve(ctx, {
      query,
      user,
      extent: 'all',
      send: async ({ content, ...file }) => {
        await asFile(reply, file).send(content)
      },
    }),
})

/** Undefined once it was sent as a file. */
async function serve(
  ctx: AppContext,
  { query: { format, ...query }, send, ...reader }: Asked,
): Promise<ListPage<ActivityRow> | undefined> {
  if (format === 'json') return listActivity(ctx, { ...reader, query })
  const { limit: _limit, cursor: _cursor, ...filter } = query
  await send(await openActivityFile(ctx, { ...reader, format, filter }))
  return undefined
}
