import {
  ensureAdmin,
  serveAccounts,
  serveOwnAccount,
  serveUserDirectory,
  serveUserManagement,
} from './features/accounts/accounts.ts'
import { beginActivity, serveActivity } from './features/activity/activity.ts'
import { debugMode, serveAdmin, workProbes } from './features/admin/admin.ts'
import { beginBackups, deletionsNoted, noteDeletions, serveBackups } from './features/backups/backups.ts'
import { chainPort, serveChainOffers, serveChainSteps, serveChains } from './features/chains/chains.ts'
import { workCleanup } from './features/cleanup/cleanup.ts'
import { releaseGate, serveEvaluations, workEvaluations } from './features/evaluations/evaluations.ts'
import { serveExamples } from './features/examples/examples.ts'
import { serveExports } from './features/exports/exports.ts'
import { serveFiles } from './features/files/files.ts'
import { serveFills } from './features/fills/fills.ts'
import { serveFirstSteps } from './features/first-steps/first-steps.ts'
import { admitFolderToken, serveFolders } from './features/folders/folders.ts'
import { admitCall, checkGateway, serveGateway } from './features/gateway/gateway.ts'
import { serveDriveConnection, serveGoogleDrive } from './features/google-drive/google-drive.ts'
import { serveImports } from './features/imports/imports.ts'
import { serveInstance, webBuild } from './features/instance/instance.ts'
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
  admitAgent,
  admitSkillReader,
  serveMcp,
  serveMcpSees,
  serveSkillArchive,
} from './features/mcp/mcp.ts'
import {
  beginRegistry,
  closeRegistry,
  serveModels,
  serveProviders,
  startRegistry,
} from './features/models/models.ts'
import { admitReader, servePromptAliases, servePromptServer } from './features/prompt-server/prompt-server.ts'
import { promptPort, servePromptOffers, servePrompts, startPromptJobs } from './features/prompts/prompts.ts'
import { beginQuotas, serveQuotas } from './features/quotas/quotas.ts'
import {
  type ReleaseGate,
  recordPortsSlot,
  releaseGateSlot,
  serveChainLabels,
  serveChainShares,
  serveChainVersions,
  servePromptLabels,
  servePromptShares,
  servePromptVersions,
  serveProtectedLabels,
} from './features/records/records.ts'
import { serveRetention, workRetention } from './features/retention/retention.ts'
import { closeRuns, onRunEnded, openRuns, serveRuns, startRuns } from './features/runs/runs.ts'
import { serveScheduler, serveSchedules, workSchedules } from './features/schedules/schedules.ts'
import { serveSkills } from './features/skills/skills.ts'
import { serveTestSuites } from './features/test-suites/test-suites.ts'
import { closeTokens, serveTokens } from './features/tokens/tokens.ts'
import { sendTraces } from './features/traces/traces.ts'
import { serveUsage, workUsage } from './features/usage/usage.ts'
import { serveVariables } from './features/variables/variables.ts'
import {
  beginWebhooks,
  closeWebhooks,
  serveWebhooks,
  startWebhooks,
  webhookRunEnds,
} from './features/webhooks/webhooks.ts'
import type { AppContext, Context } from './platform/context.ts'
import { bearerOf } from './platform/http/bearer-token.ts'
import type { Routes } from './platform/http/routes.ts'
import type { Doors } from './platform/http/security/callers.ts'

interface Feature {
  routes?: Routes[]
  start?: () => Promise<void>
  close?: () => Promise<void>
}

/** People and what they may take, the models and what they may cost: what all others stand on. */
async function addGround(ctx: AppContext, add: (feature: Feature) => void): Promise<void> {
  workMails(ctx)
  add({ routes: [serveMails, serveOwnAddress, serveMailTest, serveMailPages] })
  await ensureAdmin(ctx)
  add({ routes: [serveAccounts, serveOwnAccount, serveUserManagement, serveUserDirectory] })
  await beginQuotas(ctx)
  add({ routes: [serveQuotas] })
  await beginRegistry(ctx)
  add({
    routes: [serveModels, serveProviders],
    start: async () => startRegistry(ctx),
    close: () => closeRegistry(ctx),
  })
  await beginWebhooks(ctx)
  add({
    routes: [serveWebhooks],
    start: async () => startWebhooks(ctx),
    close: () => closeWebhooks(ctx),
  })
}

/** Each feature once, above those that it uses. */
export async function createFeatures(
  ctx: AppContext,
  { gate = releaseGate }: { gate?: ReleaseGate | undefined },
) {
  const features: Feature[] = []
  const add = (feature: Feature): void => void features.push(feature)

  await addGround(ctx, add)
  add({ routes: [serveGoogleDrive, serveDriveConnection] })
  await createInitialCategories(ctx)
  add({ routes: [serveCategories, serveTags, serveTaxonomy], start: () => keepTagKeys(ctx) })
  startPromptJobs(ctx)
  add({ routes: [servePrompts, servePromptOffers] })
  add({ routes: [serveChains, serveChainOffers, serveChainSteps] })
  recordPortsSlot.fill(ctx, { prompt: promptPort, chain: chainPort })
  releaseGateSlot.fill(ctx, gate)
  add({
    routes: [
      servePromptVersions,
      serveChainVersions,
      servePromptShares,
      serveChainShares,
      servePromptLabels,
      serveChainLabels,
      serveProtectedLabels,
    ],
  })
  add({ routes: [serveFills, serveFiles] })
  add({ routes: [serveVariables] })
  add({ routes: serveTestSuites })
  await openRuns(ctx)
  add({ routes: serveRuns, start: () => startRuns(ctx), close: () => closeRuns(ctx) })
  onRunEnded(ctx, webhookRunEnds(ctx))
  sendTraces(ctx)
  workSchedules(ctx)
  add({ routes: [serveSchedules, serveScheduler] })
  add({ routes: serveTokens, close: () => closeTokens(ctx) })
  add({ routes: [servePromptAliases, servePromptServer] })
  checkGateway(ctx)
  add({ routes: [serveGateway] })
  add({ routes: [serveSkills] })
  add({ routes: [serveMcp, serveMcpSees, serveSkillArchive] })
  workEvaluations(ctx)
  add({ routes: [serveEvaluations, serveExamples, serveExports, serveImports, serveFolders] })
  add({ routes: [serveFirstSteps] })
  workUsage(ctx)
  add({ routes: [serveUsage] })
  workRetention(ctx)
  add({ routes: [serveRetention] })
  workCleanup(ctx)
  beginBackups(ctx)
  add({
    routes: [serveBackups],
    start: async () => noteDeletions(ctx),
    close: () => deletionsNoted(ctx),
  })
  await webBuild(ctx)
  add({ routes: [serveInstance] })
  beginActivity(ctx)
  add({ routes: [serveActivity] })
  workProbes(ctx)
  add({
    routes: [serveAdmin],
    start: () => debugMode(ctx).follow(),
    close: async () => debugMode(ctx).close(),
  })

  return {
    doors: doorsOf(ctx),
    routes: features.flatMap(({ routes = [] }) => routes),
    start: async (): Promise<void> => {
      for (const { start } of features) await start?.()
    },
    close: async (): Promise<void> => {
      for (const { close } of features.toReversed()) await close?.()
    },
  }
}

/** Each kind of token opens other routes. */
function doorsOf(ctx: Context): Doors {
  return {
    'agents token': (request) => admitAgent(ctx, request),
    'chain token': (request, reply) => admitCall(ctx, request, reply),
    'folder token': (request) => admitFolderToken(ctx, bearerOf(request)),
    'read token': (request) => admitReader(ctx, request),
    'skills token': (request) => admitSkillReader(ctx, request),
  }
}
