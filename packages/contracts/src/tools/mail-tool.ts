import * as z from 'zod'
import { withAsciiHost } from '../common.ts'
import { TOOL_BODY_MAX } from './http-tool.ts'
import { TOOL_TEMPLATE } from './tool-parts.ts'
import type { TypeOfTool } from './type-of-tool.ts'

export const MAIL_ADDRESSES_MAX = 20
export const MAIL_ADDRESS_MAX = 300
export const MAIL_SUBJECT_MAX = 500

export const mailTool = z.strictObject({
  type: z.literal('mail').describe('mail: sends an email.'),
  to: z
    .array(
      z
        .string()
        .trim()
        .min(1, 'Write an email address')
        .max(MAIL_ADDRESS_MAX)
        .overwrite(withAsciiHost)
        .describe('An email address, or a reference alone, which stands for one.'),
    )
    .max(MAIL_ADDRESSES_MAX, `At most ${MAIL_ADDRESSES_MAX} addresses`)
    .describe(
      'Who gets it, each in an email of their own. A run that took in private values mails no address that is a reference (D89). Empty, as after an import: the step fails.',
    ),
  subject: z.string().max(MAIL_SUBJECT_MAX).describe(`Subject. ${TOOL_TEMPLATE}.`),
  text: z.string().max(TOOL_BODY_MAX).describe(`What it says, in Markdown. ${TOOL_TEMPLATE}.`),
})
export type MailTool = z.infer<typeof mailTool>

const text = { type: 'string' }

/** What became of an email: the output of its step. */
const OUTPUT = {
  type: 'object',
  properties: {
    to: { type: 'array', items: text },
    subject: text,
    refused: {
      type: 'array',
      items: {
        type: 'object',
        properties: { address: text, reason: text },
        required: ['address', 'reason'],
        additionalProperties: false,
      },
    },
  },
  required: ['to', 'subject', 'refused'],
  additionalProperties: false,
}

export const MAIL_TOOL: TypeOfTool<MailTool> = {
  texts: ({ to, subject, text }) => [...to, subject, text],
  withTexts: (tool, change) => ({
    ...tool,
    to: tool.to.map(change),
    subject: change(tool.subject),
    text: change(tool.text),
  }),
  answer: () => ({ as: 'json', schema: OUTPUT }),
  acts: { does: 'sends an email', goTo: 'to the addresses that this step emails' },
  asImported: (tool) =>
    tool.to.length === 0
      ? undefined
      : {
          tool: { ...tool, to: [] },
          lost: 'Its email addresses are left empty: write whom the email goes to',
        },
  isSafeToRepeat: () => false,
}
