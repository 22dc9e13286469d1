import { foldersApi } from '@catenary/contracts'
import { handlers } from '../../../platform/http/endpoints.ts'
import { evaluateFolder, pullFolder, pushFolder, showFolderEvaluation } from './folder-calls.ts'

export { admitFolderToken } from './folder-calls.ts'

/** What `catenary pull`, `push`, `diff` and `evaluate` speak to. */
export const serveFolders = handlers(foldersApi, {
  'GET /api/folder': async (ctx, { token, query: { label }, reply }) => {
    const content = await pullFolder(ctx, { token, label })
    return reply.type('application/zip').send(content)
  },
  'POST /api/folder/push': (ctx, { token, body, signal }) =>
    pushFolder(ctx, { token, request: body, signal }),
  'POST /api/folder/evaluations': (ctx, { token, body }) => evaluateFolder(ctx, { token, request: body }),
  'GET /api/folder/evaluations/{id}': (ctx, { token, params }) =>
    showFolderEvaluation(ctx, { token, ...params }),
})
