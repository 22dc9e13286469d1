import {
  deleteExpiredSessions,
  ensureAdmin,
  serveAccounts,
  serveOwnAccount,
  serveUserDirectory,
  serveUserManagement,
} from './features/accounts/accounts.ts'
import { serveActivity, workActivityLinks, writeRefusals } from './features/activity/activity.ts'
import { beginBackups, deletionsNoted, noteDeletions, serveBackups } from './features/backups/backups.ts'
import {
  serveChainSteps,
  serveChains,
  serveChainVersions,
  serveToolSaving,
  serveToolSteps,
} from './features/chains/chains.ts'
import {
  admitAgent,
  admitCall,
  admitFolderToken,
  admitHook,
  admitReader,
  admitSkillReader,
  beginGateway,
  deleteExpiredCalls,
  serveDoors,
} from './features/doors/doors.ts'
import { releaseGate, serveEvaluations, workEvaluations } from './features/evaluations/evaluations.ts'
import { serveExamples } from './features/examples/examples.ts'
import { serveExports } from './features/exports/exports.ts'
import { deleteUnused, serveFiles } from './features/files/files.ts'
import { askedSendsSlot, serveFills } from './features/fills/fills.ts'
import { serveDriveConnection, serveGoogleDrive } from './features/google-drive/google-drive.ts'
import { serveGroups } from './features/groups/groups.ts'
import { deleteEndedOffers, serveHandOvers } from './features/hand-overs/hand-overs.ts'
import { deleteExpiredReplies } from './features/idempotency/idempotency.ts'
import { serveImports } from './features/imports/imports.ts'
import { beginInstance, type Cleanup, debugMode, serveInstance } from './features/instance/instance.ts'
import {
  createInitialCategories,
  keepTagKeys,
  serveCategories,
  serveTags,
  serveTaxonomy,
} from './features/library/library.ts'
import {
  serveMailPages,
  serveMails,
  serveMailTest,
  serveOwnAddress,
  workMails,
} from './features/mails/mails.ts'
import {
  beginRegistry,
  closeRegistry,
  serveModels,
  serveProviders,
  startRegistry,
} from './features/models/models.ts'
import {
  servePromptAliases,
  servePrompts,
  servePromptVersions,
  workPromptSearch,
} from './features/prompts/prompts.ts'
import { releaseGateSlot, serveRecords } from './features/records/records.ts'
import {
  closeRuns,
  listAskedSends,
  onRunEnded,
  openRuns,
  serveRuns,
  startRuns,
} from './features/runs/runs.ts'
import {
  deleteOldOccurrences,
  serveScheduler,
  serveSchedules,
  workSchedules,
} from './features/schedules/schedules.ts'
import { beginQuotas, budgetRunEnds, serveSpending, workUsage } from './features/spending/spending.ts'
import { serveTestSuites } from './features/test-suites/test-suites.ts'
import { closeTokens, deleteExpiredFetches, serveTokens } from './features/tokens/tokens.ts'
import { sendTraces } from './features/traces/traces.ts'
import { serveVariables } from './features/variables/variables.ts'
import { serveViews } from './features/views/views.ts'
import {
  beginWebhooks,
  closeWebhooks,
  deleteOldDeliveries,
  serveWebhooks,
  startWebhooks,
  webhookRunEnds,
} from './features/webhooks/webhooks.ts'
import type { AppContext, Context } from './platform/context.ts'
import type { Routes } from './platform/http/routes.ts'
import type { Doors } from './platform/http/security/callers.ts'

interface Feature {
  routes?: readonly Routes[]
  /** Before anything is served: subscribes, registers jobs, reads what must be there. */
  begin?: (ctx: AppContext) => Promise<void> | void
  /** Once everything is served. */
  start?: (ctx: AppContext) => Promise<void> | void
  close?: (ctx: AppContext) => Promise<void> | void
}

const CLEANUP: Cleanup = {
  idempotencyKeys: deleteExpiredReplies,
  sessions: deleteExpiredSessions,
  files: deleteUnused,
  occurrences: deleteOldOccurrences,
  tokenCalls: deleteExpiredCalls,
  fetches: deleteExpiredFetches,
  deliveries: deleteOldDeliveries,
  handOvers: deleteEndedOffers,
}

const FEATURES: readonly Feature[] = [
  { begin: workActivityLinks, routes: [serveActivity], close: writeRefusals },
  { begin: workMails, routes: [serveMails, serveOwnAddress, serveMailTest, serveMailPages] },
  { begin: ensureAdmin, routes: [serveAccounts, serveOwnAccount, serveUserManagement, serveUserDirectory] },
  { begin: beginRegistry, routes: [serveModels, serveProviders], start: startRegistry, close: closeRegistry },
  { begin: beginWebhooks, routes: [serveWebhooks], start: startWebhooks, close: closeWebhooks },
  {
    begin: async (ctx) => {
      await beginQuotas(ctx)
      workUsage(ctx)
    },
    routes: serveSpending,
  },
  { routes: [serveGoogleDrive, serveDriveConnection] },
  {
    begin: createInitialCategories,
    routes: [serveCategories, serveTags, serveTaxonomy],
    start: keepTagKeys,
  },
  { routes: [serveFiles, serveFills, serveViews] },
  { routes: serveRecords },
  { routes: [serveGroups] },
  { begin: workPromptSearch, routes: [servePrompts, servePromptVersions, servePromptAliases] },
  { routes: [serveChains, serveChainSteps, serveChainVersions, serveToolSteps, serveToolSaving] },
  { routes: [serveVariables] },
  { routes: serveHandOvers },
  { routes: serveTestSuites },
  {
    begin: async (ctx) => {
      askedSendsSlot.fill(ctx, { list: listAskedSends })
      await openRuns(ctx)
      onRunEnded(ctx, webhookRunEnds(ctx))
      onRunEnded(ctx, budgetRunEnds(ctx))
    },
    routes: serveRuns,
    start: startRuns,
    close: closeRuns,
  },
  { begin: sendTraces },
  { begin: workSchedules, routes: [serveSchedules, serveScheduler] },
  { routes: serveTokens, close: closeTokens },
  {
    begin: (ctx) => {
      releaseGateSlot.fill(ctx, releaseGate)
      workEvaluations(ctx)
    },
    routes: [serveEvaluations],
  },
  { routes: [serveExamples, serveExports, serveImports] },
  { begin: beginGateway, routes: serveDoors },
  { begin: beginBackups, routes: [serveBackups], start: noteDeletions, close: deletionsNoted },
  {
    begin: (ctx) => beginInstance(ctx, CLEANUP),
    routes: serveInstance,
    start: (ctx) => debugMode(ctx).follow(),
    close: (ctx) => debugMode(ctx).close(),
  },
]

export const FEATURE_ROUTES: readonly Routes[] = FEATURES.flatMap(({ routes = [] }) => routes)

export async function beginFeatures(ctx: AppContext): Promise<void> {
  for (const { begin } of FEATURES) await begin?.(ctx)
}

export async function startFeatures(ctx: AppContext): Promise<void> {
  for (const { start } of FEATURES) await start?.(ctx)
}

export async function closeFeatures(ctx: AppContext): Promise<void> {
  for (const { close } of FEATURES.toReversed()) await close?.(ctx)
}

/** Each kind of token opens other routes. */
export function doorsOf(ctx: Context): Doors {
  return {
    'agents token': (request) => admitAgent(ctx, request),
    'chain token': (request, reply) => admitCall(ctx, request, reply),
    'folder token': (request) => admitFolderToken(ctx, request),
    'hook token': (request) => admitHook(ctx, request),
    'read token': (request) => admitReader(ctx, request),
    'skills token': (request) => admitSkillReader(ctx, request),
  }
}
