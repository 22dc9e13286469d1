import { exportsApi } from '@catenary/contracts'
import { transaction } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { asFile } from '../../platform/http/security/as-file.ts'
import { recordActivity } from '../activity/activity.ts'
import { openExport } from './export-file.ts'

export { listExportedSuites as listSuitesOf, readSkills } from './exports.sql.ts'
export { readChain, readFolder, readPrompts, readSuite, writeInTurns } from './folder-files.ts'
export { writeZip } from './write-zip.ts'

export const serveExports = handlers(exportsApi, {
  'GET /api/export': async (ctx, { query, user, reply }) => {
    await transaction(ctx, (ctx) =>
      recordActivity(ctx, { kind: 'export.downloaded', object: 'account', id: user.id }),
    )
    const { content, ...file } = openExport(ctx, { user, query })
    return asFile(reply, file).send(content)
  },
})
