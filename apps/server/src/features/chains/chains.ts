import { chainStepsApi, chainsApi, chainVersionsApi, elseStep } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { deleteVersion, requireVersion, saveVersionNote } from '../records/records.ts'
import {
  changeChains,
  createChain,
  deleteChain,
  duplicateChain,
  restoreChainVersion,
  updateChain,
} from './change-chain.ts'
import {
  addElse,
  addStep,
  deleteStep,
  duplicateStep,
  readStep,
  reorderSteps,
  updateStep,
} from './change-steps.ts'
import {
  chainListState,
  listChains,
  listChainVersions,
  readChain,
  readChainBySlug,
  readChainVersion,
} from './read-chains.ts'
import { allowCall, readSealedStep } from './sealed-parts/read-sealed.ts'

export { isWrittenAlone } from './chain-authors.sql.ts'
export { countChainsByName, listChainsByName, renameInChains } from './chain-references.ts'
export type { StepFields } from './chain-rows.sql.ts'
export {
  addExample,
  createChain,
  deleteChainAlone,
  replaceChain,
  restoreChainVersion,
} from './change-chain.ts'
export {
  type FrozenLinks,
  openChainForRun,
  type RunnableChain,
  requireLabel as requireChainLabel,
  type WantedChain,
} from './open-chain-for-run.ts'
export {
  type ChainRights,
  findChainAccess,
  requireEditable as requireEditableChain,
  requireVisibleChain,
} from './read-chains.ts'
export { findRunRights, type RunRights } from './run-rights.ts'
export { requireSaveableTools } from './save-chain.ts'
export { type OpenedParts, openSealedParts } from './sealed-parts/open-sealed.ts'
export { sealedStepSecrets } from './sealed-parts/step-secrets.sql.ts'
export { serveToolSaving, serveToolSteps } from './tool-saving.ts'

export const serveChains = handlers(chainsApi, {
  'GET /api/chains': async (ctx, { query, user, isUnchanged }) =>
    isUnchanged(await chainListState(ctx, user)) ? undefined : listChains(ctx, { user, query }),
  'GET /api/chains/by-tags': async (ctx, { query, user, isUnchanged }) =>
    isUnchanged(await chainListState(ctx, user)) ? undefined : listChains(ctx, { user, query }),
  'GET /api/chains/{id}': (ctx, { params, user }) => readChain(ctx, { ...params, user }),
  'GET /api/chains/by-slug/{slug}': (ctx, { params, user }) => readChainBySlug(ctx, { ...params, user }),
  'POST /api/chains': (ctx, { body, user }) => createChain(ctx, { fields: body, user }),
  'PATCH /api/chains/{id}': (ctx, { params, body: { revision, ...fields }, user }) =>
    updateChain(ctx, { ...params, user, revision, fields }),
  'DELETE /api/chains/{id}': (ctx, { params, user }) => deleteChain(ctx, { ...params, user }),
  'POST /api/chains/bulk': (ctx, { body, user }) => changeChains(ctx, { ...body, user }),
  'POST /api/chains/{id}/duplicate': (ctx, { params, user }) => duplicateChain(ctx, { ...params, user }),
})

export const serveChainSteps = handlers(chainStepsApi, {
  'GET /api/chains/{id}/steps/{stepId}': (ctx, { params, user }) => readStep(ctx, { ...params, user }),
  'POST /api/chains/{id}/steps': (ctx, { params, body: { revision, note, ...fields }, user }) =>
    addStep(ctx, { ...params, user, revision, note, fields }),
  'PATCH /api/chains/{id}/steps/{stepId}': (ctx, { params, body: { revision, note, ...fields }, user }) =>
    updateStep(ctx, { ...params, user, revision, note, fields }),
  'DELETE /api/chains/{id}/steps/{stepId}': (ctx, { params, user }) => deleteStep(ctx, { ...params, user }),
  'POST /api/chains/{id}/reorder-steps': (ctx, { params, body, user }) =>
    reorderSteps(ctx, { ...params, user, ...body }),
  'POST /api/chains/{id}/steps/{stepId}/duplicate': (ctx, { params, user }) =>
    duplicateStep(ctx, { ...params, user }),
  'POST /api/chains/{id}/steps/{stepId}/else': (ctx, { params, body, user }) => {
    const { revision, note, ...fields } = body ?? elseStep.parse({})
    return addElse(ctx, { ...params, user, revision, note, fields })
  },
  'GET /api/chains/{id}/steps/{stepId}/sealed': (ctx, { params, user }) =>
    readSealedStep(ctx, { ...params, user }),
  'POST /api/chains/{id}/steps/{stepId}/allow': (ctx, { params, body, user }) =>
    allowCall(ctx, { ...params, ...body, user }),
})

export const serveChainVersions = handlers(chainVersionsApi, {
  'GET /api/chains/{id}/versions': (ctx, { params, query, user }) =>
    listChainVersions(ctx, { ...params, user, query }),
  'GET /api/chains/{id}/versions/{number}': (ctx, { params, user }) =>
    readChainVersion(ctx, { ...params, user }),
  'POST /api/chains/{id}/versions/{number}/restore': async (ctx, { params, body, user }) =>
    requireVersion(await restoreChainVersion(ctx, { ...params, user, revision: body?.revision })),
  'DELETE /api/chains/{id}/versions/{number}': (ctx, { params, user }) =>
    deleteVersion(ctx, { kind: 'chain', ...params, user }),
  'PATCH /api/chains/{id}/versions/{number}': (ctx, { params, body, user }) =>
    saveVersionNote(ctx, { kind: 'chain', ...params, ...body, user }),
})
