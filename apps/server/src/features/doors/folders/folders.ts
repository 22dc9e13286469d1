import { foldersApi } from '@catenary/contracts'
import { handlers } from '../../../platform/http/endpoints.ts'
import { grantOf } from '../../tokens/tokens.ts'
import { evaluateFolder, pullFolder, pushFolder, showFolderEvaluation } from './folder-calls.ts'

export { admitFolderToken } from './folder-calls.ts'

/** What `catenary pull`, `push`, `diff` and `evaluate` speak to. */
export const serveFolders = handlers(foldersApi, {
  'GET /api/folder': async (ctx, { request, query: { label }, reply }) => {
    const content = await pullFolder(ctx, { grant: grantOf(request), label })
    return reply.type('application/zip').send(content)
  },
  'POST /api/folder/push': (ctx, { request, body, signal }) =>
    pushFolder(ctx, { grant: grantOf(request), request: body, signal }),
  'POST /api/folder/evaluations': (ctx, { request, body }) =>
    evaluateFolder(ctx, { grant: grantOf(request), request: body }),
  'GET /api/folder/evaluations/{id}': (ctx, { request, params }) =>
    showFolderEvaluation(ctx, { grant: grantOf(request), ...params }),
})
