import { createAccounts } from './features/accounts/accounts.ts'
import { createActivity } from './features/activity/activity.ts'
import { createAdmin } from './features/admin/admin.ts'
import { createBackups } from './features/backups/backups.ts'
import { createBudgets } from './features/budgets/budgets.ts'
import { createCategories } from './features/categories/categories.ts'
import { createChains } from './features/chains/chains.ts'
import { createCleanup } from './features/cleanup/cleanup.ts'
import { createEvaluations, createReleaseGate } from './features/evaluations/evaluations.ts'
import { createExamples } from './features/examples/examples.ts'
import { createExports } from './features/exports/exports.ts'
import { createFiles } from './features/files/files.ts'
import { createFills } from './features/fills/fills.ts'
import { createFirstSteps } from './features/first-steps/first-steps.ts'
import { createFolders } from './features/folders/folders.ts'
import { createGateway } from './features/gateway/gateway.ts'
import { createGoogleDrive } from './features/google-drive/google-drive.ts'
import { createIdempotency } from './features/idempotency/idempotency.ts'
import { createImports } from './features/imports/imports.ts'
import { createInstance } from './features/instance/instance.ts'
import { createMails } from './features/mails/mails.ts'
import { createMcp } from './features/mcp/mcp.ts'
import { createModelRegistry } from './features/models/models.ts'
import { createPromptServer } from './features/prompt-server/prompt-server.ts'
import { createPrompts } from './features/prompts/prompts.ts'
import { createQuotas } from './features/quotas/quotas.ts'
import { createRecords, type ReleaseGate } from './features/records/records.ts'
import { createRetention } from './features/retention/retention.ts'
import { createRuns } from './features/runs/runs.ts'
import { createSchedules } from './features/schedules/schedules.ts'
import { createSkills } from './features/skills/skills.ts'
import { createTags } from './features/tags/tags.ts'
import { createTaxonomy } from './features/taxonomy/taxonomy.ts'
import { createTestSuites } from './features/test-suites/test-suites.ts'
import { createTokens } from './features/tokens/tokens.ts'
import { createTraces } from './features/traces/traces.ts'
import { createUsage } from './features/usage/usage.ts'
import { createVariables } from './features/variables/variables.ts'
import { createWebhooks } from './features/webhooks/webhooks.ts'
import type { Routes } from './platform/http/routes.ts'
import type { Platform } from './platform/platform.ts'

interface Feature {
  service?: unknown
  routes?: Routes[]
  start?: () => Promise<void>
  close?: () => Promise<void>
}

/** Each feature once, above those that it uses. */
export async function createFeatures(
  platform: Platform,
  { gate = createReleaseGate() }: { gate?: ReleaseGate | undefined },
) {
  const features: Feature[] = []
  const add = <Added extends Feature>(feature: Added): Added['service'] => {
    features.push(feature)
    return feature.service
  }

  const mails = add(createMails(platform))
  const webhooks = add(await createWebhooks(platform, { mails }))
  const accounts = add(await createAccounts(platform, { mails }))
  const quotas = add(await createQuotas(platform))
  const registry = add(await createModelRegistry(platform))
  const budgets = add(createBudgets(platform, { models: registry.models, quotas }))
  const { models } = budgets
  const idempotency = add(createIdempotency(platform))
  const googleDrive = add(createGoogleDrive(platform, { accounts }))
  const tags = add(createTags(platform))
  const prompts = add(createPrompts(platform, { registry, tags }))
  const categories = add(await createCategories(platform, { prompts }))
  const chains = add(createChains(platform, { registry, tags }))
  const ports = { prompt: prompts.port, chain: chains.port }
  const records = add(createRecords(platform, { accounts, gate, ports, webhooks }))
  add(createTaxonomy(platform))
  add(createFills(platform))
  const files = add(createFiles(platform))
  const variables = add(createVariables(platform, { chains, files, googleDrive, prompts, tags }))
  const suites = add(createTestSuites(platform, { ports }))
  const runs = add(
    await createRuns(platform, { accounts, chains, files, registry, models, prompts, variables }),
  )
  runs.onRunEnded(webhooks.runEnds(budgets.find))
  add(createTraces(platform, { runs }))
  const schedules = add(createSchedules(platform, { chains, runs, mails, webhooks }))
  const tokens = add(createTokens(platform, { budgets, chains, quotas }))
  const promptServer = add(createPromptServer(platform, { prompts, tokens, variables }))
  const gateway = add(createGateway(platform, { files, registry, runs, models, promptServer, tokens }))
  const skills = add(createSkills(platform, { prompts, promptServer, tokens, variables }))
  const mcp = add(createMcp(platform, { gateway, promptServer, runs, skills, tokens, variables }))
  const evaluated = { budgets, chains, registry, runs, models, ports, prompts, suites, variables }
  const evaluations = add(createEvaluations(platform, evaluated))
  add(createExamples(platform, { categories, chains, files, prompts, suites, variables }))
  add(createExports(platform, { registry }))
  const library = { categories, chains, prompts, promptServer, records, registry, skills, suites, tags }
  const imports = add(createImports(platform, { ...library, webhooks }))
  const folders = add(createFolders(platform, { evaluations, imports, ports, prompts, tokens }))
  add(createFirstSteps(platform))
  add(createUsage(platform, { budgets }))
  add(createRetention(platform))
  add(createCleanup(platform, { accounts, files, gateway, idempotency, schedules, tokens, webhooks }))
  const backups = add(createBackups(platform, { accounts, mails }))
  const instance = add(await createInstance(platform, { accounts, registry }))
  add(createActivity(platform, { budgets, runs }))
  add(createAdmin(platform, { googleDrive, registry, schedules }))

  return {
    accounts,
    backups,
    runs,
    gateway,
    idempotency,
    instance,
    quotas,
    /** Each kind of token opens other routes. */
    doors: {
      'agents token': mcp.admitAgent,
      'chain token': gateway.admit,
      'folder token': folders.admit,
      'read token': promptServer.admit,
      'skills token': mcp.admitSkillReader,
    },
    routes: features.flatMap(({ routes = [] }) => routes),
    start: async (): Promise<void> => {
      for (const { start } of features) await start?.()
    },
    close: async (): Promise<void> => {
      for (const { close } of features.toReversed()) await close?.()
    },
  }
}
