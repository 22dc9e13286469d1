import {
  chainLabelsApi,
  chainOffersApi,
  chainSharesApi,
  type LabelEndpoints,
  type ProtectedLabel,
  type ProtectLabelRequest,
  promptLabelsApi,
  promptOffersApi,
  promptSharesApi,
  protectedLabelsApi,
  type RecordKind,
} from '@catenary/contracts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { type Handlers, handlers } from '../../platform/http/endpoints.ts'
import { recordActivity } from '../activity/activity.ts'
import { countDependants, listDependants } from './label-dependants.ts'
import {
  deleteProtectedLabel,
  listProtectedLabels,
  listProtectingGroups,
  saveProtectedLabel,
} from './labels.sql.ts'
import { moveLabel, undoMove } from './move-label.ts'
import { acceptOffers, listChainOffers, listPromptOffers, takeBackAcceptance } from './offers.ts'
import { listLabelMoves, listVersionLabels, previewMove } from './read-labels.ts'
import { listShares, saveShares } from './share-record.ts'

export { changeEach, tagIdsAfter } from './bulk.ts'
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
  roleFor,
  roleIn,
} from './records.policy.ts'
export { lockRecord } from './records.sql.ts'
export { type GateVerdict, type ReleaseGate, releaseGateSlot } from './release-gate.ts'
export { renameInTemplates } from './rename-in-templates.ts'
export { groupIdsOf } from './share-record.ts'
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

const labelsOf = (kind: RecordKind): Handlers<LabelEndpoints> => ({
  list: (ctx, { params, user }) => listVersionLabels(ctx, { kind, ...params, user }),
  move: (ctx, { params, body, user }) => moveLabel(ctx, { kind, ...params, ...body, user }),
  remove: (ctx, { params, query, user }) =>
    moveLabel(ctx, { kind, ...params, ...query, version: null, override: false, user }),
  gate: (ctx, { params, query, user }) => previewMove(ctx, { kind, ...params, ...query, user }),
  dependants: (ctx, { params, user }) => listDependants(ctx, { kind, ...params, user }),
  recordDependants: (ctx, { params, user }) => countDependants(ctx, { kind, ...params, user }),
  moves: (ctx, { params, query, user }) => listLabelMoves(ctx, { kind, ...params, user, query }),
  undo: (ctx, { params, body, user }) =>
    undoMove(ctx, { kind, ...params, reason: '', override: false, ...body, user }),
})

const promptLabels = labelsOf('prompt')
const servePromptLabels = handlers(promptLabelsApi, {
  'GET /api/prompts/{id}/labels': promptLabels.list,
  'PUT /api/prompts/{id}/labels/{label}': promptLabels.move,
  'DELETE /api/prompts/{id}/labels/{label}': promptLabels.remove,
  'GET /api/prompts/{id}/labels/{label}/gate': promptLabels.gate,
  'GET /api/prompts/{id}/labels/{label}/dependants': promptLabels.dependants,
  'GET /api/prompts/{id}/dependants': promptLabels.recordDependants,
  'GET /api/prompts/{id}/label-moves': promptLabels.moves,
  'POST /api/prompts/{id}/label-moves/{moveId}/undo': promptLabels.undo,
})

const chainLabels = labelsOf('chain')
const serveChainLabels = handlers(chainLabelsApi, {
  'GET /api/chains/{id}/labels': chainLabels.list,
  'PUT /api/chains/{id}/labels/{label}': chainLabels.move,
  'DELETE /api/chains/{id}/labels/{label}': chainLabels.remove,
  'GET /api/chains/{id}/labels/{label}/gate': chainLabels.gate,
  'GET /api/chains/{id}/labels/{label}/dependants': chainLabels.dependants,
  'GET /api/chains/{id}/dependants': chainLabels.recordDependants,
  'GET /api/chains/{id}/label-moves': chainLabels.moves,
  'POST /api/chains/{id}/label-moves/{moveId}/undo': chainLabels.undo,
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
  'POST /api/chain-acceptances': (ctx, { body: { chainIds: ids, fills, sends }, user }) =>
    acceptOffers(ctx, { kind: 'chain', ids, fills, sends, user }),
  'DELETE /api/chain-acceptances/{id}': (ctx, { params, user }) =>
    takeBackAcceptance(ctx, { kind: 'chain', ...params, user }),
})

const serveProtectedLabels = handlers(protectedLabelsApi, {
  'GET /api/admin/protected-labels': listProtections,
  'PUT /api/admin/protected-labels/{label}': (ctx, { params, body }) =>
    protectLabel(ctx, { ...params, rule: body }),
  'DELETE /api/admin/protected-labels/{label}': (ctx, { params }) => unprotectLabel(ctx, params.label),
})

export const serveRecords = [
  servePromptShares,
  serveChainShares,
  servePromptLabels,
  serveChainLabels,
  servePromptOffers,
  serveChainOffers,
  serveProtectedLabels,
]

function listProtections({ db }: Context): Promise<ProtectedLabel[]> {
  return listProtectedLabels(db)
}

function protectLabel(
  ctx: Context,
  { label, rule }: { label: string; rule: ProtectLabelRequest },
): Promise<ProtectedLabel[]> {
  return transaction(ctx, async (ctx) => {
    const protection = { label, ...rule }
    const { db } = ctx
    const found = (await listProtectedLabels(db)).find((one) => one.label === label)
    const before = found && { ...found, groups: await listProtectingGroups(db, label) }
    const unknown = await saveProtectedLabel(db, protection)
    if (unknown !== undefined) throw fieldError('groups', `There is no group named ${unknown}`)
    const after = { ...protection, groups: await listProtectingGroups(db, label) }
    await recordActivity(ctx, { kind: 'label.protected', object: 'label', before, after })
    return listProtectedLabels(db)
  })
}

function unprotectLabel(ctx: Context, label: string): Promise<void> {
  return transaction(ctx, async (ctx) => {
    if (!(await deleteProtectedLabel(ctx.db, label))) {
      throw new AppError('not_found', 'This label is not protected')
    }
    await recordActivity(ctx, { kind: 'label.unprotected', object: 'label', before: { label } })
  })
}
