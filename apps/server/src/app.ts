import { createAuth } from './features/accounts/accounts.auth.ts'
import { accountsRoutes } from './features/accounts/accounts.routes.ts'
import { type AccountsService, createAccountsService } from './features/accounts/accounts.service.ts'
import { ownAccountRoutes } from './features/accounts/own-account.routes.ts'
import { createOwnAccountService } from './features/accounts/own-account.service.ts'
import { createUserManagementService } from './features/accounts/user-management.service.ts'
import { queueProbeJobs } from './features/admin/admin.jobs.ts'
import { adminRoutes } from './features/admin/admin.routes.ts'
import { createChecksService } from './features/admin/checks.service.ts'
import { createDebugModeService } from './features/admin/debug-mode.service.ts'
import type { Disk } from './features/admin/dependency-checks.ts'
import { createModelTestsService } from './features/admin/model-tests.service.ts'
import { createUpgradeNoticeService } from './features/admin/upgrade-notice.service.ts'
import { createBudgets } from './features/budgets/budgets.ts'
import { createChainReferencesService } from './features/chains/chain-references.service.ts'
import { evaluationsRoutes } from './features/evaluations/evaluations.routes.ts'
import { createEvaluations } from './features/evaluations/evaluations.ts'
import { createReleaseGate } from './features/evaluations/release-gate.service.ts'
import { executionsRoutes } from './features/executions/executions.routes.ts'
import { createExecutions, type Executions } from './features/executions/executions.service.ts'
import { type RunEndSubscription, runEndJobs } from './features/executions/run-ends.jobs.ts'
import { filesRoutes } from './features/files/files.routes.ts'
import { createFilesService } from './features/files/files.service.ts'
import { answerUnroutableCall } from './features/gateway/call-errors.ts'
import { gatewayRoutes } from './features/gateway/gateway.routes.ts'
import { createGateway } from './features/gateway/gateway.ts'
import { selectionsRoutes } from './features/gateway/selections.routes.ts'
import { driveConnectionRoutes } from './features/google-drive/drive-connection.routes.ts'
import { googleDriveRoutes } from './features/google-drive/google-drive.routes.ts'
import { createGoogleDriveService } from './features/google-drive/google-drive.service.ts'
import { createIdempotencyService } from './features/idempotency/idempotency.service.ts'
import { instanceRoutes } from './features/instance/instance.routes.ts'
import { createInstanceService } from './features/instance/instance.service.ts'
import { mailPagesRoutes } from './features/mails/mail-pages.routes.ts'
import { mailQueue } from './features/mails/mails.jobs.ts'
import { mailsRoutes } from './features/mails/mails.routes.ts'
import { createMailsService } from './features/mails/mails.service.ts'
import { promptAliasesRoutes } from './features/prompt-server/prompt-aliases.routes.ts'
import { promptServerRoutes } from './features/prompt-server/prompt-server.routes.ts'
import { createPromptReferencesService } from './features/prompts/prompt-references.service.ts'
import { quotasRoutes } from './features/quotas/quotas.routes.ts'
import type { ReleaseGate } from './features/records/records.ts'
import { retentionJobs } from './features/retention/retention.jobs.ts'
import { retentionRoutes } from './features/retention/retention.routes.ts'
import { createSchedules } from './features/schedules/schedules.ts'
import { createTestSuites } from './features/test-suites/test-suites.ts'
import { readTokensRoutes } from './features/tokens/read-tokens.routes.ts'
import { tokensRoutes } from './features/tokens/tokens.routes.ts'
import { upkeepJobs } from './features/upkeep/upkeep.jobs.ts'
import { createUpkeepService } from './features/upkeep/upkeep.service.ts'
import { usageJobs } from './features/usage/usage.jobs.ts'
import { usageRoutes } from './features/usage/usage.routes.ts'
import { variablesRoutes } from './features/variables/variables.routes.ts'
import { createVariablesService } from './features/variables/variables.service.ts'
import { firstMinutes } from './first-minutes.ts'
import { createLibrary } from './library.ts'
import { createBoundedWork } from './platform/bounded/bounded-work.ts'
import type { RowChanges } from './platform/cache/read-through-cache.ts'
import { checkThat, healthRoutes } from './platform/http/health.ts'
import { metricsRoutes } from './platform/http/metrics.ts'
import { serveApiDescription } from './platform/http/openapi.ts'
import { createSendOwnPage } from './platform/http/own-page.ts'
import { limitPeople } from './platform/http/person-limits.ts'
import type { HttpApp } from './platform/http/routes.ts'
import { createHttpServer, type DatabaseState } from './platform/http/server.ts'
import { readBuild, serveWebApp } from './platform/http/web-app.ts'
import { createJobs, type JobsDatabase } from './platform/jobs/jobs.ts'
import type { Log } from './platform/log/log.ts'
import { createMail, type Mail } from './platform/mail/mail.ts'
import { measureModels } from './platform/metrics/measured-models.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { Models } from './platform/models/models.ts'
import { createOutbound, type Outbound } from './platform/outbound/outbound.ts'
import { createServiceClient } from './platform/outbound/service-client.ts'
import type { Platform } from './platform/platform.ts'
import { createSecretBox } from './platform/secrets/secret-box.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import type { Settings } from './settings.ts'

export interface AppDeps {
  settings: Settings & { secretKey: string }
  database: JobsDatabase & {
    rowChanges: RowChanges & { listen(): Promise<void> }
    disk: Disk
  } & DatabaseState
  models: Models
  log: Log
  /** Absent when metrics are off. */
  metrics?: Metrics | undefined
  /** Where the built web app lies; absent for a program without one. */
  webDirectory?: string | undefined
  /** The guard of outgoing fetches, where a test brings its own names. */
  outbound?: Outbound
  /** What protected labels ask, where a test judges by itself. */
  gate?: ReleaseGate
  /** The mail server, where a test is less patient. */
  mail?: Mail
  /** The clock, where a test sets it. */
  now?: () => Date
}

export interface App {
  http: HttpApp
  registrationNow: AccountsService['registrationNow']
  /** Entry points for callers other than HTTP, and the ends of runs; subscribe before the start. */
  executions: Pick<Executions, 'chainRuns' | 'promptRuns'> & {
    onRunEnded: (subscription: RunEndSubscription) => void
  }
  /** From then on jobs are done, where the role says so. */
  start(): Promise<void>
  /** Lets calls and jobs under way end for a moment, hands the others back, cuts open streams. */
  close(): Promise<void>
}

/** The only wiring: services, then their edges. Tests call it with the same arguments as `main`. */
export async function buildApp({
  settings,
  database,
  models: unmeasuredModels,
  log,
  metrics,
  webDirectory,
  outbound = createOutbound({ allowHosts: settings.fetchAllowHosts }),
  gate = createReleaseGate(),
  mail = createMail({ smtpUrl: settings.smtpUrl, from: settings.mailFrom }),
  now = () => new Date(),
}: AppDeps): Promise<App> {
  const { db, rowChanges, disk, pulse } = database
  const secrets = createSecretBox(settings.secretKey)
  const measured = metrics === undefined ? unmeasuredModels : measureModels(unmeasuredModels, metrics)
  const { quotas, budgets, models } = await createBudgets({ db, rowChanges, now, settings, models: measured })
  const jobs = createJobs({ database, log, observe: metrics?.jobEnded })
  const platform: Platform = { settings, db, jobs, log, metrics, now }
  const closing = new AbortController()
  const bounded = createBoundedWork()
  const mailJobs = mailQueue({ db, jobs })
  const mails = createMailsService({
    ...{ db, mail, bounded, secrets, now, ...settings, ...mailJobs },
    rules: { recipients: settings.mailRecipients, domains: settings.mailDomains },
    retryWhileUnavailable: (operation) => retryWhileUnavailable(operation, { closing: closing.signal }),
  })
  mailJobs.work({ mails })
  const auth = createAuth({ db, log, ...settings })
  const accounts = createAccountsService({
    ...{ db, auth, now, rowChanges, mails },
    registration: settings.registration,
  })
  if (settings.admin !== undefined) await accounts.ensureAdmin(settings.admin)
  const services = createServiceClient()
  const googleDrive = createGoogleDriveService({
    ...{ db, log, now, google: settings.google, publicUrl: settings.publicUrl },
    client: services,
    secrets,
    readSessionToken: auth.readSessionToken,
  })
  const library = createLibrary({ db, rowChanges, gate })
  const { tags, prompts, chains } = library
  await library.categories.createInitial()
  const files = createFilesService({ db, now })
  const variables = createVariablesService({
    ...{ db, rowChanges, log, now, tags, files, secrets, outbound, readDriveFile: googleDrive.readDriveFile },
    prompts: createPromptReferencesService({ db }),
    chains: createChainReferencesService({ db }),
  })
  const testSuites = createTestSuites({ db, records: library.ports, bounded })
  const executions = {
    ...createExecutions({
      ...{ db, database, models, prompts, chains, variables, log },
      observe: metrics,
      work: settings.role !== 'web',
      chainRunsAtOnce: settings.chainRunsAtOnce,
    }),
    ...runEndJobs({ jobs }),
  }
  await executions.recover()

  const schedules = createSchedules(platform, { chains, mails, runs: executions })
  const compatible = createGateway({
    ...{ db, rowChanges, log, now, models, prompts, chains, variables, secrets, ...executions },
    ...{ boundsOf: quotas.boundsOf, findRefusal: budgets.findRefusal },
    ...{ judgeModel: settings.judgeModel, keepsValues: settings.tokenReveal },
  })
  const { keyedCalls } = compatible
  const evaluations = createEvaluations({
    ...{ db, jobs, log, models, prompts, chains, variables },
    ...{ ...executions, ...testSuites, findRefusal: budgets.findRefusal },
    records: library.ports,
  })

  const { registrationNow } = accounts
  const build = await readBuild(webDirectory)
  const instance = createInstanceService({ db, models, mail, registrationNow, build })
  const idempotency = createIdempotencyService({ db, log, secrets })
  const upkeep = upkeepJobs({
    db,
    jobs,
    log,
    upkeep: createUpkeepService({ idempotency, accounts, files, schedules: schedules.service, keyedCalls }),
  })
  const retention = retentionJobs({ db, jobs, now })
  const usage = usageJobs({ db, jobs, log, now, findBudget: budgets.find })
  const debugMode = createDebugModeService({ db, log })
  const notice = createUpgradeNoticeService({ db, log })
  const modelTests = createModelTestsService({ models })
  const { probe: probeQueue } = queueProbeJobs({ db, jobs })
  const systemChecks = createChecksService({
    ...{
      db,
      log,
      now,
      modelTests,
      probeQueue,
      schedules: schedules.service,
      mail,
      googleDrive,
      outbound,
      disk,
    },
  })
  const ownAccount = createOwnAccountService({ db, auth, now })
  const users = createUserManagementService({ db, mails, onDisabled: executions.stopDisabled })

  const asked = { findUser: accounts.findUser, endCalls: executions.endRuns, explain: quotas.explain }
  const http = await createHttpServer({
    ...{ log, ...settings, disk, pulse, idempotency, ...asked },
    answerUnroutable: answerUnroutableCall,
  })
  const limits = limitPeople(http, { ...settings, boundsOf: quotas.boundsOf, pulse })
  const hasRoom = checkThat(() => !disk.isFull(), 'the disk is full')
  const checks = { database: instance.checkDatabase, queue: jobs.check, disk: hasRoom }
  const sendPage = createSendOwnPage({ webDirectory })
  const operation = [healthRoutes({ checks }), ...(metrics === undefined ? [] : [metricsRoutes({ metrics })])]
  const product = [
    instanceRoutes({ instance }),
    accountsRoutes({ accounts }),
    ownAccountRoutes({ ownAccount }),
    adminRoutes({ debugMode, users, modelTests, checks: systemChecks, notice }),
    retentionRoutes(retention),
    quotasRoutes({ quotas }),
    usageRoutes(usage),
    ...library.routes,
    variablesRoutes({ variables }),
    filesRoutes({ files }),
    googleDriveRoutes({ googleDrive, sendPage }),
    driveConnectionRoutes({ googleDrive, sendPage }),
    testSuites.routes,
    ...firstMinutes({ db, models, ...library, files, variables, ...testSuites }),
    evaluationsRoutes(evaluations),
    executionsRoutes(executions),
    ...schedules.routes,
    mailsRoutes({ mails }),
    mailPagesRoutes({ mails, sendPage }),
    tokensRoutes({ ...compatible, keepsValues: settings.tokenReveal }),
    readTokensRoutes({ ...compatible, keepsValues: settings.tokenReveal }),
    selectionsRoutes(compatible),
    gatewayRoutes(compatible),
    promptAliasesRoutes(compatible),
    promptServerRoutes(compatible),
  ]
  for (const routes of operation) routes(http, limits)
  if (settings.role !== 'worker') {
    for (const routes of product) routes(http, limits)
    serveApiDescription(http)
    if (webDirectory !== undefined) {
      const describePage = async (headers: Headers) => ({
        guest: !(await accounts.hasSession(headers)),
        instance: await instance.describe(),
      })
      await serveWebApp(http, { directory: webDirectory, describePage })
    }
  }

  return {
    http,
    registrationNow,
    executions,
    start: async () => {
      const work = settings.role !== 'web'
      await rowChanges.listen()
      await Promise.all([debugMode.follow(), notice.logNotice()])
      await executions.start()
      await jobs.start({ work })
      if (work) await Promise.all([mailJobs.begin(), upkeep.begin(), retention.begin(), usage.begin()])
    },
    close: async () => {
      closing.abort()
      debugMode.close()
      await Promise.all([jobs.stop(), http.close()])
      await compatible.close()
      await executions.close()
      await Promise.all([services.close(), bounded.close(), outbound.close()])
    },
  }
}
