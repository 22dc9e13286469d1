import * as z from 'zod'

export type MessageWay = 'page' | 'mail'

/** Each kind of message, and the ways in which it comes. */
export const MESSAGES = {
  asks: ['page', 'mail'],
  failures: ['mail'],
  budgets: ['page', 'mail'],
} as const satisfies Record<string, readonly MessageWay[]>
export type MessageKind = keyof typeof MESSAGES
export const MESSAGE_KINDS = Object.keys(MESSAGES) as [MessageKind, ...MessageKind[]]

const SAID: Record<MessageKind, string> = {
  asks: 'Runs that wait for their answer.',
  failures: 'Schedules of theirs whose runs begin to fail, or that are paused for it.',
  budgets: 'Their monthly budget, once 80 % of it are used and once it is used up.',
}

const ways = { page: z.boolean().describe('On the page.'), mail: z.boolean().describe('By email.') }
const byMail = { mail: ways.mail }

/** By which way each kind of message reaches a person. */
export const notifications = z.object({
  asks: z.object(ways).describe(SAID.asks),
  failures: z.object(byMail).describe(SAID.failures),
  budgets: z.object(ways).describe(SAID.budgets),
})
export type Notifications = z.infer<typeof notifications>

export const notificationFields = z
  .strictObject({
    asks: z.strictObject(ways).partial().describe(SAID.asks),
    failures: z.strictObject(byMail).partial().describe(SAID.failures),
    budgets: z.strictObject(ways).partial().describe(SAID.budgets),
  })
  .partial()
export type NotificationFields = z.infer<typeof notificationFields>

/** What is usual, but for what a person changed, in order. */
export function notificationsWith(...changes: NotificationFields[]): Notifications {
  const all: Notifications = {
    asks: { page: true, mail: true },
    failures: { mail: true },
    budgets: { page: true, mail: true },
  }
  for (const { asks, failures, budgets } of changes) {
    all.asks = { ...all.asks, ...asks }
    all.failures = { ...all.failures, ...failures }
    all.budgets = { ...all.budgets, ...budgets }
  }
  return all
}
