import {
  chainLabelsApi,
  chainOffersApi,
  chainSharesApi,
  promptLabelsApi,
  promptOffersApi,
  promptSharesApi,
  protectedLabelsApi,
} from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { countDependants, listDependants } from './label-dependants.ts'
import { moveLabel, undoMove } from './move-label.ts'
import { acceptOffers, listChainOffers, listPromptOffers, takeBackAcceptance } from './offers.ts'
import { listProtections, protectLabel, unprotectLabel } from './protect-label.ts'
import { listLabelMoves, listVersionLabels, previewMove } from './read-labels.ts'
import { listShares, saveShares } from './share-record.ts'

export { deleteVersion, listVersions, saveVersionNote } from './change-versions.ts'
export {
  type Allowed,
  AS_IT_BEGAN,
  type Consent,
  consentExcept,
  consentTo,
  findWithheld,
  isShown,
  keyOfFill,
  namedAfter,
  namedAfterRename,
  type OthersText,
  OWN_TEXTS_ONLY,
  othersNamesOf,
  textNames,
  toFills,
  WITHHELD,
  type WithheldName,
} from './consent.ts'
export {
  findEditableRecord,
  findRecord,
  findRecordRights,
  type RecordRights,
} from './find-record.ts'
export { findChainVersion, findPromptVersion, type VersionChoice } from './find-version.ts'
export {
  promptSettingsOf,
  splitPromptSettings,
  splitStepSettings,
  stepSettingsOf,
  withKeptSettings,
  withSettings,
} from './model-settings.ts'
export { labelNewRecord, moveUnprotectedLabel } from './move-label.ts'
export { nameOfCopy } from './name-of-copy.ts'
export { endLostAcceptances } from './offers.sql.ts'
export { labelsByVersion, labelsNeedingSuite } from './read-labels.ts'
export { type Change, createRecordAccess } from './record-access.ts'
export type { RecordKey } from './record-kinds.sql.ts'
export {
  canEditRecord,
  canExecuteRecord,
  canNameRecord,
  canShareRecord,
  canViewRecord,
  type RecordSubject,
  roleIn,
} from './records.policy.ts'
export { type GateVerdict, type ReleaseGate, releaseGateSlot } from './release-gate.ts'
export { renameInTemplates } from './rename-in-templates.ts'
export { nothingToNote, requireVersion } from './version-errors.ts'

const servePromptShares = handlers(promptSharesApi, {
  'GET /api/prompts/{id}/shares': (ctx, { params, user }) =>
    listShares(ctx, { kind: 'prompt', ...params, user }),
  'PUT /api/prompts/{id}/shares': (ctx, { params, body, user }) =>
    saveShares(ctx, { kind: 'prompt', ...params, user, shares: body }),
})

const serveChainShares = handlers(chainSharesApi, {
  'GET /api/chains/{id}/shares': (ctx, { params, user }) =>
    listShares(ctx, { kind: 'chain', ...params, user }),
  'PUT /api/chains/{id}/shares': (ctx, { params, body, user }) =>
    saveShares(ctx, { kind: 'chain', ...params, user, shares: body }),
})

const servePromptLabels = handlers(promptLabelsApi, {
  'GET /api/prompts/{id}/labels': (ctx, { params, user }) =>
    listVersionLabels(ctx, { kind: 'prompt', ...params, user }),
  'PUT /api/prompts/{id}/labels/{label}': (ctx, { params, body, user }) =>
    moveLabel(ctx, { kind: 'prompt', ...params, ...body, user }),
  'DELETE /api/prompts/{id}/labels/{label}': (ctx, { params, query, user }) =>
    moveLabel(ctx, { kind: 'prompt', ...params, ...query, version: null, override: false, user }),
  'GET /api/prompts/{id}/labels/{label}/gate': (ctx, { params, query, user }) =>
    previewMove(ctx, { kind: 'prompt', ...params, ...query, user }),
  'GET /api/prompts/{id}/labels/{label}/dependants': (ctx, { params, user }) =>
    listDependants(ctx, { kind: 'prompt', ...params, user }),
  'GET /api/prompts/{id}/dependants': (ctx, { params, user }) =>
    countDependants(ctx, { kind: 'prompt', ...params, user }),
  'GET /api/prompts/{id}/label-moves': (ctx, { params, query, user }) =>
    listLabelMoves(ctx, { kind: 'prompt', ...params, user, query }),
  'POST /api/prompts/{id}/label-moves/{moveId}/undo': (ctx, { params, body, user }) =>
    undoMove(ctx, { kind: 'prompt', ...params, reason: '', override: false, ...body, user }),
})

const serveChainLabels = handlers(chainLabelsApi, {
  'GET /api/chains/{id}/labels': (ctx, { params, user }) =>
    listVersionLabels(ctx, { kind: 'chain', ...params, user }),
  'PUT /api/chains/{id}/labels/{label}': (ctx, { params, body, user }) =>
    moveLabel(ctx, { kind: 'chain', ...params, ...body, user }),
  'DELETE /api/chains/{id}/labels/{label}': (ctx, { params, query, user }) =>
    moveLabel(ctx, { kind: 'chain', ...params, ...query, version: null, override: false, user }),
  'GET /api/chains/{id}/labels/{label}/gate': (ctx, { params, query, user }) =>
    previewMove(ctx, { kind: 'chain', ...params, ...query, user }),
  'GET /api/chains/{id}/labels/{label}/dependants': (ctx, { params, user }) =>
    listDependants(ctx, { kind: 'chain', ...params, user }),
  'GET /api/chains/{id}/dependants': (ctx, { params, user }) =>
    countDependants(ctx, { kind: 'chain', ...params, user }),
  'GET /api/chains/{id}/label-moves': (ctx, { params, query, user }) =>
    listLabelMoves(ctx, { kind: 'chain', ...params, user, query }),
  'POST /api/chains/{id}/label-moves/{moveId}/undo': (ctx, { params, body, user }) =>
    undoMove(ctx, { kind: 'chain', ...params, reason: '', override: false, ...body, user }),
})

const servePromptOffers = handlers(promptOffersApi, {
  'GET /api/prompt-offers': listPromptOffers,
  'POST /api/prompt-acceptances': (ctx, { body: { promptIds: ids, fills }, user }) =>
    acceptOffers(ctx, { kind: 'prompt', ids, fills, user }),
  'DELETE /api/prompt-acceptances/{id}': (ctx, { params, user }) =>
    takeBackAcceptance(ctx, { kind: 'prompt', ...params, user }),
})

const serveChainOffers = handlers(chainOffersApi, {
  'GET /api/chain-offers': listChainOffers,
  'POST /api/chain-acceptances': (ctx, { body: { chainIds: ids, fills }, user }) =>
    acceptOffers(ctx, { kind: 'chain', ids, fills, user }),
  'DELETE /api/chain-acceptances/{id}': (ctx, { params, user }) =>
    takeBackAcceptance(ctx, { kind: 'chain', ...params, user }),
})

const serveProtectedLabels = handlers(protectedLabelsApi, {
  'GET /api/admin/protected-labels': listProtections,
  'PUT /api/admin/protected-labels/{label}': (ctx, { params, body, user }) =>
    protectLabel(ctx, { ...params, rule: body, user }),
  'DELETE /api/admin/protected-labels/{label}': (ctx, { params, user }) =>
    unprotectLabel(ctx, { ...params, user }),
})

/** Prompts and chains as far as both are alike: whom they are shared with, which versions have labels, and whose tokens reach them. */
export const serveRecords = [
  servePromptShares,
  serveChainShares,
  servePromptLabels,
  serveChainLabels,
  servePromptOffers,
  serveChainOffers,
  serveProtectedLabels,
]
