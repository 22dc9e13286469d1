import {
  MAIL_ADDRESSES_MAX,
  MAIL_SUBJECT_MAX,
  type MailTool,
  splitRecipients,
  TOOL_BODY_MAX,
} from '@catenary/contracts'
import { findToolFault } from '@catenary/domain'
import * as z from 'zod'
import type { ConflictRows } from '../../../../../components/forms/conflict-rows.ts'
import { tooLong } from '../../flow/flow-form.ts'
import { rowsOfType, type StoredTool } from '../stored-tool.ts'

/** An email, while it is being filled in; its addresses are one text with commas. */
export const mailInput = {
  mailTo: z.string().default(''),
  mailSubject: z.string().default(''),
  mailText: z.string().default(''),
}
const mail = z.object(mailInput)
export type MailInput = z.output<typeof mail>

export function mailInputOf({ tool }: StoredTool): MailInput {
  if (tool?.type !== 'mail') return mail.parse({})
  return { mailTo: tool.to.join(', '), mailSubject: tool.subject, mailText: tool.text }
}

/** As it may be saved. */
export const mailForm = {
  mailTo: z.string(),
  mailSubject: z.string().max(MAIL_SUBJECT_MAX, tooLong(MAIL_SUBJECT_MAX)),
  mailText: z.string().max(TOOL_BODY_MAX, tooLong(TOOL_BODY_MAX)),
}

export const mailToolOf = ({ mailTo, mailSubject, mailText }: MailInput): MailTool => ({
  type: 'mail',
  to: splitRecipients(mailTo),
  subject: mailSubject.trim(),
  text: mailText,
})

const SYNTAX = { outputs: true, jsonOutputs: { has: () => true } }
const HARMLESS = { to: [], subject: '-', text: '-' } satisfies Partial<MailTool>

export function checkMail(values: MailInput, context: z.RefinementCtx): void {
  const issue = (field: keyof MailInput, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  const tool = mailToolOf(values)
  const { to, subject, text } = tool
  if (to.length === 0) issue('mailTo', 'Write whom the email goes to')
  if (to.length > MAIL_ADDRESSES_MAX) issue('mailTo', `At most ${MAIL_ADDRESSES_MAX} addresses`)
  for (const part of [{ to }, { subject }, { text }]) {
    const fault = findToolFault({ ...tool, ...HARMLESS, ...part }, SYNTAX)
    if (!fault) continue
    const address = to[Number(/^tool\.to\.(\d+)$/.exec(fault.path)?.[1])]
    const about = address !== undefined && to.length > 1 ? `${address}: ` : ''
    issue(mailFieldOf(fault.path) as keyof MailInput, `${about}${fault.message}`)
  }
}

/** A field of the form for one of the request, as the server and the checks name it. */
export function mailFieldOf(path: string): string {
  const [, field] = /^tool\.(to|subject|text)\b/.exec(path) ?? []
  if (field === 'to') return 'mailTo'
  if (field === 'subject') return 'mailSubject'
  return field === 'text' ? 'mailText' : path
}

export const mailRows = {
  mailTo: { label: 'To', show: ({ mailTo }) => splitRecipients(mailTo).join(', ') },
  mailSubject: { label: 'Subject', show: ({ mailSubject }) => mailSubject },
  mailText: { label: 'Text of the email', show: ({ mailText }) => mailText },
} as const satisfies ConflictRows<MailInput>

const { mailText, ...others } = mailRows
const ofMail = rowsOfType('mail', mailInputOf)

export const mailChanges = ofMail(Object.values(others))
export const mailTextChanges = ofMail([mailText])

export const mailTextsWith = (
  { mailTo, mailSubject, mailText }: MailInput,
  change: (text: string) => string,
): MailInput => ({
  mailTo: change(mailTo),
  mailSubject: change(mailSubject),
  mailText: change(mailText),
})
