import type { MailTool } from '@catenary/contracts'
import type { MailCall } from '@catenary/domain'
import { MailError } from '../../../../../../platform/mail/mail-error.ts'
import { ToolCallError } from '../../../../../../platform/outbound/tool-calls.ts'
import { sendNow } from '../../../../../mails/mails.ts'
import type { TypeInRun } from '../type-in-run.ts'

/** Sent while the step waits, so that its end says what became of it; not by the queue, which sends for an hour. */
export const MAIL_IN_RUN: TypeInRun<MailTool, MailCall> = {
  async send(ctx, { call: { to, subject, text }, key, user, signal }) {
    if (to.length === 0) return { refusal: 'The step does not say whom the email goes to' }
    const link = { label: `Sent by ${user.username} with Catenary`, href: ctx.settings.publicUrl }
    const message = { subject, paragraphs: [], markdown: text, links: [link] }
    try {
      const mail = { account: user, addresses: to, key: `step:${key}`, message, signal }
      const { sent, refused } = await sendNow(ctx, mail)
      if (sent.length > 0) return { text: JSON.stringify({ to: sent, subject, refused }) }
      const reasons = refused.map(({ address, reason }) => `${address}: ${reason}`)
      return { refusal: `No email was sent. ${reasons.join('; ')}` }
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      throw new ToolCallError({ message: error.message, mayHaveHappened: error.mayBeSent, cause: error })
    }
  },
  shown: ({ to }) => ({ kind: 'mail', to }),
}
