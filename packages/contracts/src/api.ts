import type { ApiTable, Endpoint, EndpointsOf } from './endpoint.ts'
import { categoriesApi } from './categories.ts'
import { filesApi } from './files.ts'
import { activityApi } from './installation/activity.ts'
import { adminApi, userManagementApi } from './installation/admin.ts'
import { backupsApi } from './installation/backups.ts'
import { quotasApi } from './installation/quotas.ts'
import { retentionApi } from './installation/retention.ts'
import { tagsApi } from './tags.ts'
import { taxonomyApi } from './taxonomy.ts'
import { usageApi } from './usage.ts'
import { variablesApi } from './variables/variables-api.ts'
import { webhooksApi } from './webhooks.ts'

/** Every table of endpoints. */
export const API_TABLES = [
  activityApi,
  adminApi,
  backupsApi,
  categoriesApi,
  filesApi,
  quotasApi,
  retentionApi,
  tagsApi,
  taxonomyApi,
  usageApi,
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
