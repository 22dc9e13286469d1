import { notificationsWith } from '@catenary/contracts'
import type { Transaction } from '../../../database/statements/executor.ts'
import type { Context } from '../../../platform/context.ts'
import type { MailMessage } from '../../../platform/mail/mail-message.ts'
import { findToldPerson, queueMail } from '../../mails/mails.ts'
import { tellEvent, wantsEvent } from '../../webhooks/webhooks.ts'
import { listAskedPeople } from './asked-people.sql.ts'
import type { LockedAsk } from './asks.sql.ts'

/** A group may have everyone in it: so many get an email or an event, all see it on the page. */
const TOLD_MAX = 200

interface Told extends Pick<LockedAsk, 'id' | 'executionId' | 'chainId' | 'question' | 'deadline'> {
  isReminder: boolean
  /** Not of each of several calls of one run. */
  isMailed: boolean
}

/** Whoever may answer: by email as they chose, and by webhook the first time. Never with the text. */
export async function tellOfAsk(
  ctx: Context<Transaction>,
  { id, question, isReminder, isMailed, executionId, chainId, deadline }: Told,
): Promise<void> {
  const message = askMessage(ctx, { id, question, isReminder })
  const key = isReminder ? `ask:${id}:reminder` : `ask:${id}`
  for (const { notifications, ...person } of await listAskedPeople(ctx.db, { id, limit: TOLD_MAX })) {
    const { email, role, ...account } = person
    const { mail } = notificationsWith(notifications).asks
    const isAdmin = role === 'admin'
    if (mail && isMailed) {
      await queueMail(ctx, {
        account: { ...account, email, role: isAdmin ? 'admin' : 'user' },
        addresses: [email],
        key: `${key}:${account.id}`,
        message,
      })
    }
    if (isReminder || !wantsEvent(ctx, { userId: account.id, type: 'ask.opened' })) continue
    const data = { askId: id, executionId, chainId, deadline: deadline.toISOString(), url: askUrl(ctx, id) }
    const audience = { userId: account.id }
    await tellEvent(ctx, { type: 'ask.opened', key, object: `ask:${id}`, audience, data })
  }
}

/** That nobody could answer, so that the choice for the deadline held at once. */
export async function tellRunner(
  ctx: Context<Transaction>,
  { id, question, userId, choices, onDeadline, unsure }: LockedAsk,
): Promise<void> {
  const runner = await findToldPerson(ctx.db, userId)
  if (runner === undefined || !runner.notifications.asks.mail) return
  const { account } = runner
  const label = choices.find((choice) => choice.id === onDeadline)?.label ?? onDeadline
  const outcome = unsure === null ? `“${label}” holds` : 'the run has failed'
  const message: MailMessage = {
    subject: `Nobody could answer: ${question}`,
    paragraphs: [`A run of yours asked “${question}”, and nobody was left who could answer. So ${outcome}.`],
    markdown: '',
    links: [{ label: 'See what was asked', href: askUrl(ctx, id) }],
  }
  await queueMail(ctx, { account, addresses: [account.email], key: `ask:${id}:lost`, message })
}

const askUrl = ({ settings }: Context, id: number): string => `${settings.publicUrl}/asks/${id}`

function askMessage(
  ctx: Context,
  { id, question, isReminder }: Pick<Told, 'id' | 'question' | 'isReminder'>,
): MailMessage {
  const still = isReminder ? 'A run is still waiting' : 'A run is waiting'
  return {
    subject: isReminder ? `Still waiting for you: ${question}` : question,
    paragraphs: [
      `${still} for your answer: ${question}`,
      'You can answer on the page once you are logged in. This email doesn’t show what it is about, and no answer can be given by email.',
    ],
    markdown: '',
    links: [{ label: 'Answer', href: askUrl(ctx, id) }],
  }
}
