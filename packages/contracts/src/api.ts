import type { ApiTable, Endpoint, EndpointsOf } from './endpoint.ts'
import { categoriesApi } from './categories.ts'
import { chainVersionsApi } from './chain-versions.ts'
import { chainStepsApi, chainsApi } from './chains-api.ts'
import { examplesApi } from './examples.ts'
import { exportsApi } from './exchange/exports.ts'
import { importsApi } from './exchange/imports.ts'
import { filesApi } from './files.ts'
import { fillsApi } from './fills.ts'
import { firstStepsApi } from './first-steps.ts'
import { activityApi } from './installation/activity.ts'
import { adminApi, userManagementApi } from './installation/admin.ts'
import { backupsApi } from './installation/backups.ts'
import { providersApi } from './installation/model-providers.ts'
import { modelsApi } from './installation/model-registry.ts'
import { instanceApi } from './installation/models.ts'
import { quotasApi } from './installation/quotas.ts'
import { retentionApi } from './installation/retention.ts'
import { promptAliasesApi, promptServerApi } from './prompt-server.ts'
import { promptVersionsApi, promptsApi } from './prompts.ts'
import { chainSharesApi, promptSharesApi } from './shares.ts'
import { skillsApi } from './skills.ts'
import { tagsApi } from './tags.ts'
import { taxonomyApi } from './taxonomy.ts'
import { chainOffersApi } from './tokens/chain-offers.ts'
import { promptOffersApi } from './tokens/prompt-offers.ts'
import { usageApi } from './usage.ts'
import { accountsApi, ownAccountApi, userDirectoryApi } from './users.ts'
import { variablesApi } from './variables/variables-api.ts'
import { chainLabelsApi, promptLabelsApi, protectedLabelsApi } from './version-labels-api.ts'
import { webhooksApi } from './webhooks.ts'

/** Every table of endpoints. */
export const API_TABLES = [
  accountsApi,
  activityApi,
  adminApi,
  backupsApi,
  categoriesApi,
  chainLabelsApi,
  chainOffersApi,
  chainSharesApi,
  chainStepsApi,
  chainVersionsApi,
  chainsApi,
  examplesApi,
  exportsApi,
  filesApi,
  fillsApi,
  firstStepsApi,
  importsApi,
  instanceApi,
  modelsApi,
  ownAccountApi,
  promptAliasesApi,
  promptLabelsApi,
  promptOffersApi,
  promptServerApi,
  promptSharesApi,
  promptVersionsApi,
  promptsApi,
  protectedLabelsApi,
  providersApi,
  quotasApi,
  retentionApi,
  skillsApi,
  tagsApi,
  taxonomyApi,
  usageApi,
  userDirectoryApi,
  userManagementApi,
  variablesApi,
  webhooksApi,
] as const

type EndpointsOfAll<Tables> = Tables extends readonly [infer First, ...infer Others]
  ? EndpointsOf<First> & EndpointsOfAll<Others>
  : unknown

/** Every endpoint, by its key. An interface, so that errors say its name. */
export interface Api extends EndpointsOfAll<typeof API_TABLES> {}

/** The same as values. */
export const listEndpoints = () =>
  API_TABLES.flatMap(({ endpoints }: ApiTable<object>) =>
    Object.entries<Endpoint>(endpoints as Record<string, Endpoint>),
  )
