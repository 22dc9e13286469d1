import * as z from 'zod'
import { id } from '../common.ts'
import { HTTP_METHODS } from '../tools/http-tool.ts'

export const SENDS_MAX = 200
export const ASKED_SENDS_MAX = 100
const DESTINATION_MAX = 10_000

/** Code of the refusal of a run, or its failure, that would carry private values where its runner did not allow (D89). */
export const VALUE_WOULD_LEAVE = 'value_would_leave'

const destination = z.string().min(1).max(DESTINATION_MAX)

export const shownSends = z
  .array(destination)
  .max(SENDS_MAX)
  .optional()
  .describe(
    'Where your private values may go, each as `destination` of GET /api/chains/{id}/sends writes it (D89). A start whose ' +
      'steps name another is refused with 409 and code `value_would_leave`, with `details: [{destination}]`.',
  )

export const wouldLeave = z
  .array(destination)
  .optional()
  .describe(
    'Where its private values would have gone next: `sends` of a resume allows it. Absent: it did not stop for this, or is another person’s.',
  )

const sendOf = {
  destination: destination.describe('What `sends` takes to allow it.'),
  chainId: id,
  position: z.int().describe('Position of the step, from 0.'),
  title: z.string().describe('Title of the step.'),
}
const sendToPeople = z.object({
  ...sendOf,
  kind: z.literal('ask').describe('ask: people see its text.'),
  people: z.array(z.string()).describe('Usernames.'),
  groups: z
    .array(
      z.object({
        name: z.string().describe('Its members come and go.'),
        memberCount: z.int().describe('How many are in it now.'),
        leaders: z.array(z.string()).describe('Usernames, as far as the caller may see them.'),
      }),
    )
    .describe('Groups.'),
  role: z
    .object({
      role: z.enum(['owner', 'editor', 'viewer']).describe('The role in the chain.'),
      count: z.int().describe('How many people and groups have it now.'),
    })
    .nullable()
    .describe('Those with a role in the chain; null: nobody by role.'),
})
const sendToService = z.object({
  ...sendOf,
  kind: z.literal('http').describe('http: a service is called.'),
  method: z.enum(HTTP_METHODS).describe('HTTP method.'),
  address: z.string().describe('As the step writes it, with path and query.'),
  headers: z.array(z.string()).describe('Names of the headers of the call.'),
})

const sendByMail = z.object({
  ...sendOf,
  kind: z.literal('mail').describe('mail: an email is sent.'),
  to: z.array(z.string()).describe('Its addresses.'),
})

/** Where the private values of a run of a chain would go, as the form shows it before the run. */
const unconfirmedSend = z.discriminatedUnion('kind', [sendToPeople, sendToService, sendByMail])
const isConfirmed = z.boolean().describe('The caller allowed it when they last ran the chain.')
export const askedSend = z.discriminatedUnion('kind', [
  sendToPeople.extend({ isConfirmed }),
  sendToService.extend({ isConfirmed }),
  sendByMail.extend({ isConfirmed }),
])
export type AskedSend = z.infer<typeof askedSend>

export const keptSend = z.object({
  chainId: id.describe('Chain whose runs may take them there.'),
  destination: destination.describe('As GET /api/chains/{id}/sends writes it.'),
})
export type KeptSend = z.infer<typeof keptSend>

export const keptSends = z
  .array(keptSend)
  .describe(
    'Where the creator’s private values may go in runs that it starts, by chain (D89). A run stops before it takes them ' +
      'anywhere else. Chains that the creator alone has written need no entry. Exports never include this list.',
  )
export const chosenSends = keptSends
  .max(SENDS_MAX)
  .optional()
  .describe(
    'Where private values may go, by chain: destinations of GET /api/chains/{id}/sends (D89). Default: nowhere.',
  )

export const askedSends = z
  .array(unconfirmedSend)
  .max(ASKED_SENDS_MAX)
  .describe(
    'Where its chains would take private values and `sends` does not allow it. PATCH `sends` allows it. Empty for anyone but its creator.',
  )
