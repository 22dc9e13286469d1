import { variablesApi } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { type Context, slot } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import {
  createVariable,
  createVariableIfNameIsFree,
  deleteVariable,
  deleteVariableUnasked,
  type NewVariable,
  saveVariable,
} from './change-variable.ts'
import { findVariable, listVariables, showVariable } from './read-variables.ts'
import {
  type ConsentedNames,
  describeNames,
  listPlaces,
  listPrivateNames,
  type ResolveRequest,
  readFingerprints,
  requireAllowed,
  resolveVariables,
  type WantedNames,
} from './resolve-variables.ts'
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

/** Names that texts refer to, and what stands for them in a run. */
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

export type VariablesService = ReturnType<typeof variablesService>
export const variablesSlot = slot<VariablesService>()

/** For features that are closures still; it goes with the last of them. */
export function variablesService(ctx: Context) {
  return {
    createIn: (db: Transaction, wanted: NewVariable) => createVariableIfNameIsFree({ ...ctx, db }, wanted),
    deleteIn: (db: Transaction, id: number) => deleteVariableUnasked({ db }, id),
    requireAllowed: (wanted: Parameters<typeof requireAllowed>[1]) => requireAllowed(ctx, wanted),
    describe: (wanted: ConsentedNames) => describeNames(ctx, wanted),
    fingerprints: (wanted: WantedNames) => readFingerprints(ctx, wanted),
    places: (wanted: WantedNames) => listPlaces(ctx, wanted),
    privateNames: (wanted: WantedNames) => listPrivateNames(ctx, wanted),
    resolve: (wanted: ResolveRequest) => resolveVariables(ctx, wanted),
  }
}
