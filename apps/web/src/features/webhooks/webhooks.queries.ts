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
import { api, apiPage } from '../../lib/api.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

const ROOT = ['webhooks'] as const
const SOON_MS = 3_000
const LATER_MS = 10_000
export const DELIVERIES_SHOWN = 50

const isBusy = ({ waiting }: Webhook) => waiting > 0

/** One's own webhooks, oldest first; what is sent meanwhile shows by itself. */
export const webhooksQuery = queryOptions({
  queryKey: [...ROOT, 'list'],
  queryFn: ({ signal }) => api('GET /api/webhooks', { reply: webhookList, signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isBusy) ? SOON_MS : LATER_MS),
})

export const deliveriesQuery = ({ id, waiting }: Pick<Webhook, 'id' | 'waiting'>) =>
  queryOptions({
    queryKey: [...ROOT, 'deliveries', id],
    queryFn: async ({ signal }) => {
      const query = { limit: DELIVERIES_SHOWN }
      const { items } = await apiPage('GET /api/webhooks/{id}/deliveries', {
        params: { id },
        query,
        list: webhookDelivery,
        signal,
      })
      return items
    },
    staleTime: 0,
    refetchInterval: waiting > 0 ? SOON_MS : LATER_MS,
  })

/** Adds one; the reply alone has its secret. The caller tells the person about a failure. */
export const useCreateWebhook = () =>
  useRefreshingWrite(ROOT, (body: CreateWebhookRequest) =>
    api('POST /api/webhooks', { body, created: createdWebhook }),
  )

export const useChangeWebhook = () =>
  useRefreshingWrite(ROOT, ({ id, ...body }: UpdateWebhookRequest & { id: number }) =>
    api('PATCH /api/webhooks/{id}', { params: { id }, body, reply: webhook }),
  )

export const useRemoveWebhook = () =>
  useRefreshingWrite(ROOT, (id: number) => api('DELETE /api/webhooks/{id}', { params: { id } }))

export const useRotateSecret = () =>
  useRefreshingWrite(ROOT, (id: number) =>
    api('POST /api/webhooks/{id}/rotate', { params: { id }, reply: createdWebhook }),
  )

export const useSendTest = () =>
  useRefreshingWrite(ROOT, (id: number) =>
    api('POST /api/webhooks/{id}/test', { params: { id }, accepted: webhookDelivery }),
  )

export const useSendAgain = () =>
  useRefreshingWrite(ROOT, (params: { id: number; deliveryId: number }) =>
    api('POST /api/webhooks/{id}/deliveries/{deliveryId}/send', { params, accepted: webhookDelivery }),
  )
