import type { ZodType } from 'zod'
import { activityApi } from './activity.ts'
import { asksApi } from './asks/asks.ts'
import { categoriesApi } from './categories.ts'
import { chainVersionsApi } from './chain-versions.ts'
import { chainStepsApi, chainsApi } from './chains-api.ts'
import type { ApiTable, Endpoint, EndpointsOf } from './endpoint.ts'
import { evaluationsApi } from './evaluations-api.ts'
import { examplesApi } from './examples.ts'
import { exportsApi } from './exchange/exports.ts'
import { foldersApi } from './exchange/folders.ts'
import { importsApi } from './exchange/imports.ts'
import { filesApi } from './files.ts'
import { fillsApi } from './fills.ts'
import { firstStepsApi } from './first-steps.ts'
import { gatewayApi, mcpApi } from './gateway.ts'
import { adminApi, userManagementApi } from './installation/admin.ts'
import { backupsApi } from './installation/backups.ts'
import { driveConnectionApi, googleDriveApi } from './installation/google-drive.ts'
import { groupsApi } from './installation/groups.ts'
import { providersApi } from './installation/model-providers.ts'
import { modelsApi } from './installation/model-registry.ts'
import { instanceApi } from './installation/models.ts'
import { docsApi, healthApi, metricsApi } from './installation/platform-api.ts'
import { currentWorkApi } from './installation/processes.ts'
import { quotasApi } from './installation/quotas.ts'
import { retentionApi } from './installation/retention.ts'
import { mailPagesApi, mailsApi, mailTestApi, ownAddressApi } from './mails.ts'
import { promptAliasesApi, promptServerApi } from './prompt-server.ts'
import { promptsApi, promptVersionsApi } from './prompts.ts'
import { chainOwnersApi, handOversApi, promptOwnersApi, variableOwnersApi } from './records/hand-overs.ts'
import { chainOffersApi, promptOffersApi } from './records/offers.ts'
import { chainSharesApi, promptSharesApi } from './records/shares.ts'
import { chainLabelsApi, promptLabelsApi, protectedLabelsApi } from './records/version-labels-api.ts'
import { chainRunsApi } from './runs/chain-runs.ts'
import { ratingsApi } from './runs/ratings.ts'
import { runHistoryApi } from './runs/run-history.ts'
import { chainRunSharesApi, promptRunSharesApi, runSharesApi } from './runs/run-shares.ts'
import { runWatchingApi } from './runs/run-states.ts'
import { promptRunsApi } from './runs/runs.ts'
import { schedulerApi, schedulesApi } from './schedules-api.ts'
import { skillArchiveApi } from './skill-archive.ts'
import { skillsApi } from './skills.ts'
import { tagsApi } from './tags.ts'
import { taxonomyApi } from './taxonomy.ts'
import { chainTestSuitesApi, promptTestSuitesApi, testCasesApi, testSuitesApi } from './test-suites-api.ts'
import { selectionsApi } from './tokens/best-chain.ts'
import { hooksApi } from './tokens/hooks.ts'
import {
  bestTokensApi,
  fetchesApi,
  folderTokensApi,
  hookDeliveriesApi,
  mcpSeesApi,
  mcpTokensApi,
  readTokensApi,
  tokensApi,
} from './tokens/tokens-api.ts'
import { toolSavingApi, toolStepsApi } from './tools/tool-saving.ts'
import { usageApi } from './usage.ts'
import { accountsApi, ownAccountApi, userDirectoryApi } from './users.ts'
import { variablesApi } from './variables/variables-api.ts'
import { viewsApi } from './views.ts'
import { webhooksApi } from './webhooks.ts'

export const API_TABLES = [
  accountsApi,
  activityApi,
  adminApi,
  asksApi,
  backupsApi,
  bestTokensApi,
  categoriesApi,
  chainLabelsApi,
  chainOffersApi,
  chainOwnersApi,
  chainRunsApi,
  chainRunSharesApi,
  chainsApi,
  chainSharesApi,
  chainStepsApi,
  chainTestSuitesApi,
  chainVersionsApi,
  currentWorkApi,
  docsApi,
  driveConnectionApi,
  evaluationsApi,
  examplesApi,
  exportsApi,
  fetchesApi,
  filesApi,
  fillsApi,
  firstStepsApi,
  foldersApi,
  folderTokensApi,
  gatewayApi,
  googleDriveApi,
  groupsApi,
  handOversApi,
  healthApi,
  hookDeliveriesApi,
  hooksApi,
  importsApi,
  instanceApi,
  mailPagesApi,
  mailsApi,
  mailTestApi,
  mcpApi,
  mcpSeesApi,
  mcpTokensApi,
  metricsApi,
  modelsApi,
  ownAccountApi,
  ownAddressApi,
  promptAliasesApi,
  promptLabelsApi,
  promptOffersApi,
  promptOwnersApi,
  promptRunsApi,
  promptRunSharesApi,
  promptsApi,
  promptServerApi,
  promptSharesApi,
  promptTestSuitesApi,
  promptVersionsApi,
  protectedLabelsApi,
  providersApi,
  quotasApi,
  ratingsApi,
  readTokensApi,
  retentionApi,
  runHistoryApi,
  runSharesApi,
  runWatchingApi,
  schedulerApi,
  schedulesApi,
  selectionsApi,
  skillArchiveApi,
  skillsApi,
  tagsApi,
  taxonomyApi,
  testCasesApi,
  testSuitesApi,
  tokensApi,
  toolSavingApi,
  toolStepsApi,
  usageApi,
  userDirectoryApi,
  userManagementApi,
  variableOwnersApi,
  variablesApi,
  viewsApi,
  webhooksApi,
] as const

// Recursive in itself: the compiler gives up on any other form after fifty tables.
type EndpointsOfAll<Tables, Before = unknown> = Tables extends readonly [infer First, ...infer Others]
  ? EndpointsOfAll<Others, Before & EndpointsOf<First>>
  : Before

/** Every endpoint, by its key. An interface, so that errors say its name. */
export interface Api extends EndpointsOfAll<typeof API_TABLES> {}

export type ReadKey = Extract<keyof Api, `GET ${string}`>
export type ListKey = { [Key in ReadKey]: Api[Key] extends { list: ZodType } ? Key : never }[ReadKey]
export type DeleteKey = Extract<keyof Api, `DELETE ${string}`>

export const listEndpoints = () =>
  API_TABLES.flatMap(({ endpoints }: ApiTable<object>) =>
    Object.entries<Endpoint>(endpoints as Record<string, Endpoint>),
  )

/** For a call such as `GET /api/prompts/7`. An endpoint without parameters comes first. */
export function endpointOf(call: string): Endpoint | undefined {
  const [, found] =
    listEndpoints()
      .filter(([key]) => new RegExp(`^${key.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(call))
      .toSorted(([one], [other]) => one.split('{').length - other.split('{').length)[0] ?? []
  return found
}

export const replyOf = ({ list, reply, created, accepted }: Endpoint): ZodType | undefined =>
  list === undefined ? (reply ?? created ?? accepted) : list.array()
