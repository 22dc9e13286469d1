import * as z from 'zod'

export const MESSAGE_KINDS = ['asks', 'failures', 'budgets', 'quality'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

export const MESSAGE_WAYS = ['page', 'mail'] as const
export type MessageWay = (typeof MESSAGE_WAYS)[number]

const SAID: Record<MessageKind, string> = {
  asks: 'Runs that wait for their answer.',
  failures: 'Their runs by schedules and tokens that failed.',
  budgets: 'Budgets that are nearly spent.',
  quality: 'Answers that got worse.',
}

const ways = { page: z.boolean().describe('On the page.'), mail: z.boolean().describe('By email.') }

/** By which way each kind of message reaches a person. */
export const notifications = z.object({
  asks: z.object(ways).describe(SAID.asks),
  failures: z.object(ways).describe(SAID.failures),
  budgets: z.object(ways).describe(SAID.budgets),
  quality: z.object(ways).describe(SAID.quality),
})
export type Notifications = z.infer<typeof notifications>

const someWays = z.strictObject(ways).partial()
export const notificationFields = z
  .strictObject({
    asks: someWays.describe(SAID.asks),
    failures: someWays.describe(SAID.failures),
    budgets: someWays.describe(SAID.budgets),
    quality: someWays.describe(SAID.quality),
  })
  .partial()
export type NotificationFields = z.infer<typeof notificationFields>

const USUAL: Notifications = {
  asks: { page: true, mail: true },
  failures: { page: true, mail: false },
  budgets: { page: true, mail: false },
  quality: { page: true, mail: false },
}

/** What is usual, but for what a person changed, in order. */
export function notificationsWith(...changes: NotificationFields[]): Notifications {
  const all = { ...USUAL }
  for (const kind of MESSAGE_KINDS)
    for (const change of changes) all[kind] = { ...all[kind], ...change[kind] }
  return all
}
