import { importsApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { findImport, listImports } from './read-imports.ts'
import { runImport } from './run-imports.ts'
import { undoImport } from './undo-import.ts'

export { pushFiles } from './run-imports.ts'

export const serveImports = handlers(importsApi, {
  'POST /api/import': (ctx, { body: request, user, signal }) => runImport(ctx, { user, request, signal }),
  'GET /api/imports': listImports,
  'GET /api/imports/{id}': (ctx, { params, user }) => findImport(ctx, { ...params, user }),
  'POST /api/imports/{id}/undo': (ctx, { params, user }) => undoImport(ctx, { ...params, user }),
})
