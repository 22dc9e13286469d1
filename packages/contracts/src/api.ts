import type { ApiTable, Endpoint, EndpointsOf } from './endpoint.ts'
import { webhooksApi } from './webhooks.ts'

/** Every table of endpoints. */
export const API_TABLES = [webhooksApi] as const

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
