import {
  type CreateWebhookRequest,
  createdWebhook,
  type UpdateWebhookRequest,
  type Webhook,
  webhook,
  webhookDelivery,
  webhookList,
} from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { read, write } from '../../lib/api-client.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

const ROOT = ['webhooks'] as const
/** While something is on its way, and else. */
const SOON_MS = 3_000
const LATER_MS = 10_000
/** Deliveries of a webhook that are shown. */
export const DELIVERIES_SHOWN = 50

const isBusy = ({ waiting }: Webhook) => waiting > 0

/** One's own webhooks, oldest first; what is sent meanwhile shows by itself. */
export const webhooksQuery = queryOptions({
  queryKey: [...ROOT, 'list'],
  queryFn: ({ signal }) => read({ path: '/api/webhooks', schema: webhookList, signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isBusy) ? SOON_MS : LATER_MS),
})

/** The newest deliveries of one. */
export const deliveriesQuery = ({ id, waiting }: Pick<Webhook, 'id' | 'waiting'>) =>
  queryOptions({
    queryKey: [...ROOT, 'deliveries', id],
    queryFn: ({ signal }) =>
      read({
        path: `/api/webhooks/${id}/deliveries?limit=${DELIVERIES_SHOWN}`,
        schema: z.array(webhookDelivery),
        signal,
      }),
    staleTime: 0,
    refetchInterval: waiting > 0 ? SOON_MS : LATER_MS,
  })

/** Adds one; the reply alone has its secret. The caller tells the person about a failure. */
export const useCreateWebhook = () =>
  useRefreshingWrite(ROOT, (body: CreateWebhookRequest) =>
    write({ method: 'POST', path: '/api/webhooks', body, schema: createdWebhook }),
  )

/** Changes one. The caller tells the person about a failure. */
export const useChangeWebhook = () =>
  useRefreshingWrite(ROOT, ({ id, ...body }: UpdateWebhookRequest & { id: number }) =>
    write({ method: 'PATCH', path: `/api/webhooks/${id}`, body, schema: webhook }),
  )

/** Removes one with its deliveries. The caller tells the person about a failure. */
export const useRemoveWebhook = () =>
  useRefreshingWrite(ROOT, (id: number) => write({ method: 'DELETE', path: `/api/webhooks/${id}` }))

/** A new secret, which the reply alone has. The caller tells the person about a failure. */
export const useRotateSecret = () =>
  useRefreshingWrite(ROOT, (id: number) =>
    write({ method: 'POST', path: `/api/webhooks/${id}/rotate`, schema: createdWebhook }),
  )

/** A test event. The caller tells the person about a failure. */
export const useSendTest = () =>
  useRefreshingWrite(ROOT, (id: number) =>
    write({ method: 'POST', path: `/api/webhooks/${id}/test`, schema: webhookDelivery }),
  )

/** One more try at once. The caller tells the person about a failure. */
export const useSendAgain = () =>
  useRefreshingWrite(ROOT, ({ id, deliveryId }: { id: number; deliveryId: number }) =>
    write({
      method: 'POST',
      path: `/api/webhooks/${id}/deliveries/${deliveryId}/send`,
      schema: webhookDelivery,
    }),
  )
