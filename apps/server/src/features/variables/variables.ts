import { variablesApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { createVariable, deleteVariable, saveVariable } from './change-variable.ts'
import { findVariable, listVariables, showVariable } from './read-variables.ts'
import { fetchVariable, previewVariable, readContent, readVariableFile, tryAddress } from './show-value.ts'
import { countUsage, findUsage } from './variable-usage.ts'

export { createVariableIfNameIsFree, deleteVariableUnasked } from './change-variable.ts'
export {
  describeNames,
  listPlaces,
  listPrivateNames,
  readFingerprints,
  requireAllowed,
  resolveVariables,
} from './resolve-variables.ts'
export { sealedHeaders } from './variables.sql.ts'

export const serveVariables = handlers(variablesApi, {
  'GET /api/variables': listVariables,
  'GET /api/variables/by-tags': listVariables,
  'GET /api/variables/{id}': async (ctx, { params: { id }, user }) =>
    showVariable(ctx, { record: await findVariable(ctx, { id, user }), user }),
  'GET /api/variables/{id}/preview': (ctx, { params, user, signal }) =>
    previewVariable(ctx, { ...params, user, signal }),
  'GET /api/variables/{idOrName}/content': (ctx, { params, user, signal }) =>
    readContent(ctx, { ...params, user, signal }),
  'GET /api/variables/{id}/file': (ctx, { params, user }) => readVariableFile(ctx, { ...params, user }),
  'GET /api/proxy': (ctx, { query, user, signal }) => fetchVariable(ctx, { ...query, user, signal }),
  'POST /api/proxy': (ctx, { body, user, signal }) => tryAddress(ctx, { ...body, user, signal }),
  'GET /api/variables/usage': countUsage,
  'GET /api/variables/{id}/usage': (ctx, { params, user }) => findUsage(ctx, { ...params, user }),
  'POST /api/variables': (ctx, { body: { revision: _r, renameReferences: _n, ...fields }, user }) =>
    createVariable(ctx, { fields, user }),
  'PATCH /api/variables/{id}': (ctx, { params, body: { revision, renameReferences, ...fields }, user }) =>
    saveVariable(ctx, { ...params, user, revision, renameReferences, fields }),
  'DELETE /api/variables/{id}': (ctx, { params, user }) => deleteVariable(ctx, { ...params, user }),
})
