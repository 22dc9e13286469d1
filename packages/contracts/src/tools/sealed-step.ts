import * as z from 'zod'
import { revision, timestamp } from '../common.ts'
import { keptLoop } from '../settings/step-flow.ts'
import { stepTool } from './step-tool.ts'

const allowedCall = z.object({
  tool: stepTool.describe('What it calls.'),
  forEach: keptLoop.nullable().describe('The list that it runs for; null: once.'),
})
export type AllowedCall = z.infer<typeof allowedCall>

export const sealedStep = z.object({
  owner: z.string().describe('Username of the chain’s owner, whose credential acts in each run.'),
  parts: z
    .array(
      z.object({
        kind: z.enum(['url', 'header', 'query']).describe('Where it stands in the call.'),
        name: z.string().describe('Name of the header or value; empty of the address.'),
        setAt: timestamp
          .nullable()
          .describe('null: it has no value, and each run fails until the owner sets one.'),
      }),
    )
    .describe('In the order in which they are sent.'),
  rests: z
    .boolean()
    .describe('Somebody else changed the call: runs fail at this step until the owner has allowed it.'),
  allowed: allowedCall
    .nullable()
    .describe(
      'The call that the owner last wrote or allowed, where another rests; for the owner alone, else null.',
    ),
})
export type SealedStep = z.infer<typeof sealedStep>

export const allowCallRequest = z.strictObject({
  revision: revision.describe('Revision of the chain whose call was seen; a stale one is refused with 409.'),
})
