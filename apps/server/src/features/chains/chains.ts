import { chainOffersApi, chainStepsApi, chainsApi, type User } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { type Context, slot } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { acceptChains, listChainOffers, takeBackChain } from './chain-offers.ts'
import { chainPort } from './chain-port.ts'
import { countChainsByName, listChainsByName, renameInChains } from './chain-references.ts'
import {
  addExample,
  createChain,
  deleteChain,
  deleteChainAlone,
  duplicateChain,
  type NewChain,
  replaceChain,
  updateChain,
  type WholeChain,
} from './change-chain.ts'
import { addStep, deleteStep, duplicateStep, readStep, reorderSteps, updateStep } from './change-steps.ts'
import { openChainForRun, requireLabel, type WantedChain } from './open-chain-for-run.ts'
import {
  chainListState,
  type ForUser,
  type ForViewer,
  findChainAccess,
  listChains,
  readChain,
  readChainBySlug,
  requireEditable,
  requireVisibleChain,
} from './read-chains.ts'
import { findRunRights } from './run-rights.ts'

export { chainPort } from './chain-port.ts'
export { countChainsByName, listChainsByName, renameInChains } from './chain-references.ts'
export type { StepFields } from './chain-rows.sql.ts'
export { addExample, createChain, deleteChainAlone, replaceChain } from './change-chain.ts'
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

/** Prompts in a row. */
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
})

/** Others' chains that a person's tokens may reach once they accept them. */
export const serveChainOffers = handlers(chainOffersApi, {
  'GET /api/chain-offers': listChainOffers,
  'POST /api/chain-acceptances': (ctx, { body, user }) => acceptChains(ctx, { ...body, user }),
  'DELETE /api/chain-acceptances/{id}': (ctx, { params, user }) => takeBackChain(ctx, { ...params, user }),
})

export type ChainsService = ReturnType<typeof chainsService>
export const chainsSlot = slot<ChainsService>()

/** For features that are closures still; it goes with the last of them. */
export function chainsService(ctx: Context) {
  return {
    addExample: (db: Transaction, wanted: Parameters<typeof addExample>[1]) => addExample({ db }, wanted),
    createIn: (db: Transaction, wanted: NewChain) => createChain({ ...ctx, db }, wanted),
    replaceIn: (db: Transaction, wanted: WholeChain) => replaceChain({ db }, wanted),
    deleteIn: (db: Transaction, wanted: Parameters<typeof deleteChainAlone>[1]) =>
      deleteChainAlone({ db }, wanted),
    findAccess: (db: Executor, wanted: ForUser) => findChainAccess({ db }, wanted),
    findRunRights: (wanted: ForUser) => findRunRights(ctx, wanted),
    openForRun: (wanted: WantedChain) => openChainForRun(ctx, wanted),
    requireEditable: (db: Executor, wanted: ForUser) => requireEditable({ db }, wanted),
    requireLabel: (db: Transaction, wanted: Parameters<typeof requireLabel>[1]) =>
      requireLabel({ db }, wanted),
    requireVisible: (wanted: ForViewer) => requireVisibleChain(ctx, wanted),
    references: {
      countByName: (user: User) => countChainsByName(ctx, user),
      listByName: (wanted: { name: string; viewer: User }) => listChainsByName(ctx, wanted),
      rename: (db: Transaction, wanted: { from: string; to: string; user: User }) =>
        renameInChains({ db }, wanted),
    },
    port: chainPort,
  }
}
